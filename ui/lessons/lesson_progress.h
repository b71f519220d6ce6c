#pragma once

#include "lessons/lesson.h"

#include <QByteArray>

namespace shardrack {

/// What is remembered of one step.
struct StepRecord {
    int chosen = -1; ///< the prediction; -1: none yet
    bool locked = false;
    bool begun = false;
    bool selectionSeen = false; ///< a selection that was the last thing asked for
    FactTable before; ///< as the step began
    FactTable read; ///< as it was passed
};

/// How far somebody is in a lesson.
struct LessonProgress {
    int step = 0; ///< the one to continue with, from 0; the number of steps: all are passed
    bool done = false; ///< finished, this time or earlier
    std::vector<StepRecord> records; ///< one for each step
    std::optional<Plan> plan; ///< as that step began; absent: too large to keep
    std::string offer = {}; ///< in front; empty: the first
};

/// As text that settings can keep.
QByteArray progressText(const Lesson& lesson, const LessonProgress& progress);
/// Absent when there is none, or it is damaged or of another version of the lesson.
std::optional<LessonProgress> readProgress(const Lesson& lesson, const QByteArray& text);

/// What a menu says of a lesson.
struct LessonState {
    enum class Kind { NotStarted, Started, Done };
    Kind kind = Kind::NotStarted;
    int step = 0; ///< the one to continue with, from 0
};
LessonState stateOf(const Lesson& lesson, const QByteArray& progress);

} // namespace shardrack
