#pragma once

#include "lessons/lesson_text.h"

#include <QLabel>

class QVBoxLayout;

namespace shardrack {

/// A text of a lesson; words of the glossary are links.
class LessonLabel : public QLabel {
    Q_OBJECT
public:
    enum class Tone { Main, Heading, Secondary, Faint, Reply };
    explicit LessonLabel(Tone tone = Tone::Main, QWidget* parent = nullptr);
    void setTone(Tone tone);
    void setText(const LessonText& text, const FactTable& now, const FactTable& before);
    /// Words that are not of the lesson's file.
    void setPlainText(const QString& text);

signals:
    void wordRequested(const QString& word);

protected:
    void changeEvent(QEvent* event) override;

private:
    void restyle();
    Tone m_tone;
};

/// How far one is: a segment for each step.
class StepsBar : public QWidget {
    Q_OBJECT
public:
    explicit StepsBar(QWidget* parent = nullptr);
    void setSteps(int count, int reached, int shown);
    QSize sizeHint() const override { return { 200, 5 }; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_count = 0;
    int m_reached = 0;
    int m_shown = 0;
};

/// The mark before a part or a task.
class StepMark : public QWidget {
    Q_OBJECT
public:
    enum class State { Waiting, Current, Done, Wrong };
    /// `number` 0: a small mark without a number.
    explicit StepMark(int number, QWidget* parent = nullptr);
    void setState(State state);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_number;
    State m_state = State::Waiting;
};

/// A part of a step: predict, do, compare. A numbered title, and what belongs to it.
class LessonBlock : public QWidget {
    Q_OBJECT
public:
    LessonBlock(int number, const QString& title, QWidget* parent = nullptr);
    QVBoxLayout* body() { return m_body; }
    void setState(StepMark::State state);
    /// A word at the right of the title; empty: none.
    void setChip(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void restyle();
    StepMark::State m_state = StepMark::State::Waiting;
    StepMark* m_mark;
    QLabel* m_title;
    QLabel* m_chip;
    QVBoxLayout* m_body;
};

} // namespace shardrack
