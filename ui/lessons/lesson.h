#pragma once

#include "lessons/condition.h"
#include "lessons/lesson_text.h"

namespace shardrack {

/// A place in the window, by name only: a widget, action or menu by its object name and, where that
/// has places of its own, one of them ("free", "rank 0", a catalogue id).
struct LessonPlace {
    std::string object;
    std::string place; ///< empty: all of it
    bool alternative = false; ///< another way to what the place before it does
    std::string path; ///< where in the file, for messages
    bool operator==(const LessonPlace&) const = default;
};

struct LessonChoice {
    LessonText text;
    std::optional<std::int64_t> value; ///< bytes or count, where the prediction is of a fact
    bool right = false; ///< where it is not
    LessonText reply; ///< what is wrong or right about it; shown with the real number
};

/// A question that is answered, and locked, before the task opens.
struct LessonPrediction {
    LessonText question;
    /// The fact that is predicted: the right choice is the one with its value. Absent: choices say
    /// themselves whether they are right.
    std::optional<Fact> fact;
    std::vector<LessonChoice> choices;
};

/// Something to do in the window, by any route.
struct LessonTask {
    LessonText text;
    LessonText mouse; ///< a way to do it; may be empty
    LessonText keys;
    LessonText hint; ///< may be empty
    Condition done;
    std::vector<LessonPlace> show;
    struct Reply {
        Condition when;
        LessonText text;
    };
    std::vector<Reply> replies; ///< to what is done instead, while the task is not done
};

/// What is read from the window once everything before it is done.
struct LessonReveal {
    LessonText text;
    std::vector<LessonPlace> show;
};

struct LessonStep {
    LessonText title;
    LessonText text; ///< may be empty
    std::optional<LessonPrediction> predict;
    std::vector<LessonTask> tasks;
    std::optional<LessonReveal> reveal;
};

/// A lesson: what is in its file, checked.
struct Lesson {
    std::string name; ///< of the file, without ending
    std::string title;
    std::string subject; ///< a few words beside the title
    int minutes = 0;
    LessonText about;
    std::string planName; ///< what it works on a copy of: "TS-24"
    Plan plan;
    std::vector<LessonStep> steps;
    LessonText end; ///< what was learned
    std::string next; ///< name of the lesson to follow; may be empty
    std::string digest; ///< of the file's text: progress belongs to one version of a lesson
};

/// Reads a lesson. The Error names the place in the file, what is wrong there and what would be
/// right.
Result<Lesson> readLesson(const std::string& name, std::string_view text);

/// The names of the lessons that are shipped, in their order.
std::vector<std::string> lessonNames();
/// A shipped lesson by its name, or a file by its path.
Result<Lesson> findLesson(const QString& nameOrPath);

} // namespace shardrack
