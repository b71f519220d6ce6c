#pragma once

#include "commands/edit_command.h"
#include "document/plan_document.h"
#include "document/selection.h"
#include "paint/theme.h"
#include "plan/plan_json.h"
#include "resources/resources.h"

#include <QApplication>
#include <QTest>

namespace shardrack {

/// A document over one of the examples, with its selection.
struct DockFixture {
    PlanDocument document;
    Selection selection;

    explicit DockFixture(const std::string& example)
    {
        document.reset(
            readPlan(resourceText("examples/" + example + ".shardrack")).value().plan, {}, false);
        document.flush();
    }
    const Plan& plan() const { return *document.plan(); }
    const Workload& workload() const { return *plan().workload; }
    const Layout& layout() const
    {
        return plan().offers[std::size_t(document.currentOffer())]->layout;
    }

    void make(const Edit& edit)
    {
        const auto error = perform(document, edit);
        if (error)
            qFatal("%s", error->text().c_str());
        document.flush();
    }
    template <class Change> void changeWorkload(Change change)
    {
        Workload workload = *plan().workload;
        change(workload);
        make(edit::SetWorkload { workload });
    }
    /// Tries a server like the first one, in the first rack's next free units.
    void tryAnotherServer()
    {
        const Offer& offer = *plan().offers[std::size_t(document.currentOffer())];
        Server server = offer.site.racks[0]->servers[0];
        server.unit = offer.site.racks[0]->firstFree(server.height);
        if (const auto error
            = document.tryEdit(edit::AddServer { std::size_t(document.currentOffer()), 0, server }))
            qFatal("%s", error->text().c_str());
        document.flush();
    }
};

/// Llama 3 8B on two servers with eight GPUs each, most of it given, as HSDP.
inline Plan llamaPlan()
{
    return readPlan(R"({
  "format": "shardrack-plan", "version": 1, "title": "Llama 3 8B, two racks",
  "required_margin": {"bytes": 4294967296, "basis": "policy"},
  "workload": {
    "model": {"preset": "llama-3-8b"},
    "recipe": {"bytes_per_parameter": {"parameters": 4, "gradients": 4, "optimizer": 8, "master": 0},
      "optimizer": "adamw", "global_batch": 48, "accumulation": 1, "sequence": 8192},
    "terms": {"gathered_bytes": 2974339072, "activations_bytes": 57982058496,
      "temporary_bytes": 3908420567, "slack_bytes": 3672187863, "outside_bytes": 1610612736}
  },
  "offers": [{"name": "Offer A",
    "site": {"racks": [{"name": "R{1..2}", "units": 42, "servers": [{"name": "{rack}-1",
      "type": "dgx-h100", "unit": 1, "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]},
    "layout": {"preset": "hsdp", "dp_shard": 8}}]})")
        .value()
        .plan;
}

inline void useTheme(const Theme& theme) { QApplication::setPalette(theme.palette()); }

} // namespace shardrack
