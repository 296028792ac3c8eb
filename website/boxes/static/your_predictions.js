// The page of all answers asks again what was missed and is due, and shows how many answers were right and which were
// wrong. Readers can print, save and delete their answers.
"use strict";
(() => {
  const SITTING = 10; // questions asked again at a time
  const place = document.getElementById("all-answers");
  const { make, all_questions } = book;
  const { DAY, answer_in, load, keep, record } = book.answers;
  const address = (page, { id }) => `${page.address}#question-${id}`;

  /** A question that was missed: when, and how many answers it had. */
  function line({ page, question, answer }) {
    const about = { day: new Date(answer.at).toLocaleDateString() };
    const words = answer.again
      ? book.say_number(
          "– not quite, {day}, answered {n} time",
          "– not quite, {day}, answered {n} times",
          answer.again + 1,
          about,
        )
      : book.say("– not quite, {day}", about);
    return make("li", {}, make("a", { href: address(page, question) }, question.text), " ", words);
  }

  function section(title, lines, empty) {
    return [make("h2", {}, title), lines.length ? make("ul", {}, ...lines) : make("p", {}, empty)];
  }

  /** The fields for an answer: one for a number, or the choices. */
  function fields(question) {
    const name = `again-${question.id}`;
    if (!question.choices.length) {
      const about = { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": book.say("a number") };
      return [make("div", { class: "question-number" }, make("input", about), question.unit)];
    }
    const type = question.which.length > 1 ? "checkbox" : "radio";
    return question.choices.map((text, i) =>
      make("label", { class: "question-choice" }, make("input", { type, name, value: i + 1 }), make("span", {}, text)),
    );
  }

  const returns = ({ due }) => {
    if (!due) return book.say("It is not asked again.");
    const days = Math.round((due - Date.now()) / DAY);
    return days > 1
      ? book.say_number("It comes back in {n} day.", "It comes back in {n} days.", days)
      : book.say("It comes back tomorrow.");
  };

  /** A missed question, to be answered here. */
  function ask(page, question) {
    const fieldset = make("fieldset", {}, make("legend", {}, question.text), ...fields(question));
    const button = make("button", { type: "submit" }, book.say("Answer"));
    const status = make("p", { class: "question-said", role: "status" });
    const form = make("form", { class: "question-form", novalidate: true }, fieldset, button, status);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const answer = answer_in(form, status, { ...question, right: question.which });
      if (!answer) return;
      record(question.id, page.page.replace(/^.*\//, ""), answer);
      fieldset.disabled = true;
      button.remove();
      const { right } = answer;
      const words = right
        ? book.say("That is right.")
        : book.say("Not quite. Right: {words}.", { words: book.say_list(question.right) });
      const link = make("a", { href: address(page, question) }, book.say("Why: see its place"));
      const why = book.with_elements(book.say("{link}."), { link });
      status.classList.toggle("is-right", right);
      status.replaceChildren(make("strong", {}, words), ` ${returns(load().questions[question.id])} `, ...why);
    });
    return make("li", {}, form);
  }

  /** What is due, the longest waiting first. */
  function again(given, silent) {
    const words = silent
      ? book.say("Nothing is asked again: you have switched it off.")
      : book.say("Nothing today. What you miss comes back after one day, and after right answers in 3, 7 and 21 days.");
    const due = given.filter(({ answer }) => answer.due <= Date.now()).sort((a, b) => a.answer.due - b.answer.due);
    const asked = silent ? [] : due.slice(0, SITTING).map(({ page, question }) => ask(page, question));
    const parts = section(book.say("Asked again"), [], words);
    if (asked.length) parts[1] = make("ol", { class: "asked-again" }, ...asked);
    const rest = due.length - asked.length;
    const waiting = book.say_number(
      "{n} more can wait for the next visit.",
      "{n} more can wait for the next visit.",
      rest,
    );
    if (asked.length && rest > 0) parts.push(make("p", {}, waiting));
    const name = silent ? book.say("Ask again what I missed") : book.say("Ask nothing again");
    const toggle = make("button", { type: "button" }, name);
    toggle.addEventListener("click", () => {
      keep((all) => (all.silent = !silent));
      show();
      place.querySelector(".asked-switch button").focus();
    });
    return [...parts, make("div", { class: "question-buttons asked-switch" }, toggle)];
  }

  function exported() {
    const { questions } = load();
    const rows = all_questions.flatMap(({ page, questions: all }) =>
      all.filter(({ id }) => questions[id]).map((question) => ({ page, ...question, ...questions[question.id] })),
    );
    const text = JSON.stringify({ book: "Attention, Measured", answers: rows }, null, 1);
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    make("a", { href: address, download: "attention-measured-answers.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  const IN_WORDS = [
    "",
    book.mark("one"),
    book.mark("two"),
    book.mark("three"),
    book.mark("four"),
    book.mark("five"),
    book.mark("six"),
    book.mark("seven"),
    book.mark("eight"),
    book.mark("nine"),
  ];
  /** Before the first answer: where to begin. */
  function invitation() {
    const [first] = all_questions;
    const number = Number(first.page.match(/\d+/)[0]);
    const name = book.say("Begin with chapter {number}", { number });
    const link = make("a", { href: address(first, first.questions[0]) }, name);
    const count = first.questions.length;
    const words = book.say_number(
      "You have not answered a question yet. {link}: {count} question.",
      "You have not answered a question yet. {link}: {count} questions.",
      count,
      { count: IN_WORDS[count] ? book.say(IN_WORDS[count]) : count },
    );
    return make("p", { class: "nothing-answered" }, ...book.with_elements(words, { link }));
  }

  function show() {
    const { questions, silent } = load();
    const all = all_questions.flatMap((page) =>
      page.questions.map((question) => ({ page, question, answer: questions[question.id] })),
    );
    const given = all.filter(({ answer }) => answer);
    const right = given.filter(({ answer }) => answer.right);
    const missed = given.filter((one) => !right.includes(one)).map(line);
    const rows = all_questions.map((page) => {
      const here = given.filter((one) => one.page === page);
      const cells = [
        make("a", { href: page.address }, page.title),
        page.questions.length,
        here.length,
        right.filter((one) => one.page === page).length,
      ];
      return make("tr", {}, ...cells.map((cell) => make("td", {}, cell)));
    });
    const names = [book.say("Chapter"), book.say("Questions"), book.say("Answered"), book.say("Right")];
    const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)));
    const forget = make("button", { type: "button" }, book.say("Forget all answers"));
    forget.addEventListener("click", () => {
      if (!confirm(book.say("Forget all answers on this machine?"))) return;
      book.answers.forget();
      show();
      place.querySelector("[role=status]").textContent = book.say("All answers have been forgotten.");
    });
    const print_ = make("button", { type: "button" }, book.say("Print"));
    print_.addEventListener("click", () => print());
    const save = make("button", { type: "button" }, book.say("Save as JSON"));
    save.addEventListener("click", exported);
    const status = make("p", { role: "status" });
    const lost = book.say("This browser keeps nothing: an answer is gone when you leave its page.");
    const kept = localStorage.for_this_page ? [make("p", {}, lost)] : []; // a stand-in, see first.js
    if (!given.length) return place.replaceChildren(...kept, invitation(), status);
    const counts = { given: given.length, all: all.length, right: right.length };
    place.replaceChildren(
      ...kept,
      make("p", {}, book.say("{given} of {all} questions answered, {right} of them right.", counts)),
      make("div", { class: "question-buttons" }, print_, save, forget),
      status,
      ...again(given, silent),
      ...section(book.say("Missed"), missed, book.say("Nothing so far.")),
      make("h2", {}, book.say("By chapter")),
      make("table", { class: "table" }, make("thead", {}, head), make("tbody", {}, ...rows)),
    );
  }

  show();
})();
