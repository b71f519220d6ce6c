#include "paint/finding_glyphs.h"

namespace shardrack {

Glyph glyphOf(Capacity capacity)
{
    switch (capacity) {
    case Capacity::Over:
        return Glyph::OverCapacity;
    case Capacity::Open:
        return Glyph::Open;
    case Capacity::Tight:
        return Glyph::Tight;
    case Capacity::Fit:
        break;
    }
    return Glyph::Fit;
}

Glyph glyphOf(Demonstrated demonstrated)
{
    switch (demonstrated) {
    case Demonstrated::Partial:
        return Glyph::PartlyDemonstrated;
    case Demonstrated::Demonstrated:
        return Glyph::Demonstrated;
    case Demonstrated::Contradicted:
        return Glyph::Contradicted;
    case Demonstrated::None:
        break;
    }
    return Glyph::NotDemonstrated;
}

Glyph glyphOf(TrainingResult result)
{
    switch (result) {
    case TrainingResult::Accepted:
        return Glyph::Accepted;
    case TrainingResult::Rejected:
        return Glyph::Rejected;
    case TrainingResult::NotEvaluated:
        break;
    }
    return Glyph::NotEvaluated;
}

Icon iconOf(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Stipulated:
        return Icon::Stipulated;
    case Provenance::Derived:
        return Icon::Derived;
    case Provenance::Measured:
        return Icon::Measured;
    case Provenance::NotEstablished:
        break;
    }
    return Icon::NotEstablished;
}

} // namespace shardrack
