// The page of all answers asks again what was missed and is due, and shows how many answers were right and which were
// wrong. Readers can print, save and delete their answers.
(() => {
  "use strict";
  const SITTING = 10; // questions asked again at a time
  const place = document.getElementById("all-answers");
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  const { DAY, load, keep, record, number_of, is_near, is_right } = answers;
  const day = (at) => new Date(at).toLocaleDateString();
  const address = (page, { id }) => `${page.address}#question-${id}`;
  const link = (page, question) => make("a", { href: address(page, question), textContent: question.text });

  function line(page, question, answer) {
    const words = answer.right ? "right" : "not quite";
    const rest = ` – ${words}, ${day(answer.at)}${answer.again ? `, answered ${answer.again + 1} times` : ""}`;
    return make("li", {}, link(page, question), rest);
  }

  function section(title, lines, empty) {
    const heading = make("h2", { textContent: title });
    return [heading, lines.length ? make("ul", {}, ...lines) : make("p", { textContent: empty })];
  }

  /** The fields for an answer: one for a number, or the choices. */
  function fields(question) {
    const name = `again-${question.id}`;
    if (!question.choices.length) {
      const field = make("input", { type: "text", inputMode: "decimal", autocomplete: "off", ariaLabel: "a number" });
      return [make("div", { className: "question-number" }, field, question.unit)];
    }
    const type = question.which.length > 1 ? "checkbox" : "radio";
    return question.choices.map((text, i) =>
      make(
        "label",
        { className: "question-choice" },
        make("input", { type, name, value: i + 1 }),
        make("span", {}, text),
      ),
    );
  }

  /** The answer in the fields, as { said, right }, or words for the reader if there is none. */
  function answer_in(form, question) {
    const field = form.querySelector("input[type=text]");
    if (field) {
      const x = number_of(field.value);
      if (!Number.isFinite(x)) return `Expected a number, such as 0.5, 1/3 or 1e-9; got “${field.value}”.`;
      return { said: field.value.trim(), right: is_near(x, question.number, question.within) };
    }
    const chosen = [...form.querySelectorAll("input:checked")].map((input) => Number(input.value));
    if (!chosen.length) return "Choose an answer first.";
    return { said: chosen.length > 1 ? chosen : chosen[0], right: is_right(chosen, question.which) };
  }

  const returns = ({ due }) => {
    if (!due) return "It is not asked again.";
    const days = Math.round((due - Date.now()) / DAY);
    return `It comes back ${days > 1 ? `in ${days} days` : "tomorrow"}.`;
  };

  /** A missed question, to be answered here. */
  function ask(page, question) {
    const legend = make("legend", { textContent: question.text });
    const fieldset = make("fieldset", {}, legend, ...fields(question));
    const status = make("p", { className: "question-said" });
    status.setAttribute("role", "status");
    const form = make("form", { className: "question-form", noValidate: true }, fieldset);
    form.append(make("button", { type: "submit", textContent: "Answer" }), status);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const answer = answer_in(form, question);
      if (typeof answer === "string") return status.replaceChildren(answer);
      record(question.id, page.page.replace(/^.*\//, ""), answer);
      fieldset.disabled = true;
      form.querySelector("button").remove();
      const { right } = answer;
      const words = right ? "That is right." : `Not quite. Right: ${question.right.join(" and ")}.`;
      const why = make("a", { href: address(page, question), textContent: "Why: see its place" });
      status.classList.toggle("is-right", right);
      status.replaceChildren(
        make("strong", { textContent: words }),
        ` ${returns(load().questions[question.id])} `,
        why,
        ".",
      );
    });
    return make("li", {}, form);
  }

  /** What is due, the longest waiting first. */
  function again(given, silent) {
    const words = silent
      ? "Nothing is asked again: you have switched it off."
      : "Nothing today. What you miss comes back after one day, and after right answers in 3, 7 and 21 days.";
    const due = given.filter(({ answer }) => answer.due <= Date.now()).sort((a, b) => a.answer.due - b.answer.due);
    const asked = silent ? [] : due.slice(0, SITTING).map(({ page, question }) => ask(page, question));
    const parts = section("Asked again", [], words);
    if (asked.length) parts[1] = make("ol", { className: "asked-again" }, ...asked);
    const rest = due.length - asked.length;
    if (asked.length && rest > 0) parts.push(make("p", { textContent: `${rest} more can wait for the next visit.` }));
    const name = silent ? "Ask again what I missed" : "Ask nothing again";
    const toggle = make("button", { type: "button", textContent: name });
    toggle.addEventListener("click", () => {
      keep((all) => (all.silent = !silent));
      show();
      place.querySelector(".asked-switch button").focus();
    });
    return [...parts, make("div", { className: "question-buttons asked-switch" }, toggle)];
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

  const IN_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  /** Before the first answer: where to begin. */
  function invitation() {
    const [first] = all_questions;
    const count = first.questions.length;
    const begin = make("a", {
      href: address(first, first.questions[0]),
      textContent: `Begin with chapter ${first.title.split(" ")[0]}`,
    });
    const words = `: ${IN_WORDS[count] ?? count} question${count > 1 ? "s" : ""}.`;
    return make("p", { className: "nothing-answered" }, "You have not answered a question yet. ", begin, words);
  }

  function show() {
    const { questions, silent } = load();
    const all = all_questions.flatMap((page) =>
      page.questions.map((question) => ({ page, question, answer: questions[question.id] })),
    );
    const given = all.filter(({ answer }) => answer);
    const lines = (some) => some.map(({ page, question, answer }) => line(page, question, answer));
    const rows = all_questions.map((page) => {
      const here = given.filter((one) => one.page === page);
      const right = here.filter(({ answer }) => answer.right).length;
      const cells = [
        make("a", { href: page.address, textContent: page.title }),
        page.questions.length,
        here.length,
        right,
      ];
      return make("tr", {}, ...cells.map((cell) => make("td", {}, typeof cell === "number" ? String(cell) : cell)));
    });
    const head = make(
      "tr",
      {},
      ...["Chapter", "Questions", "Answered", "Right"].map((text) => make("th", { textContent: text, scope: "col" })),
    );
    const forget = make("button", { type: "button", textContent: "Forget all answers" });
    forget.addEventListener("click", () => {
      if (!confirm("Forget all answers on this machine?")) return;
      answers.forget();
      show();
      place.querySelector("[role=status]").textContent = "All answers have been forgotten.";
    });
    const print_ = make("button", { type: "button", textContent: "Print" });
    print_.addEventListener("click", () => print());
    const save = make("button", { type: "button", textContent: "Save as JSON", disabled: !given.length });
    save.addEventListener("click", exported);
    const status = make("p", {});
    status.setAttribute("role", "status");
    const lost = "This browser keeps nothing: an answer is gone when you leave its page.";
    const kept = localStorage.for_this_page ? [make("p", { textContent: lost })] : []; // a stand-in, see first.js
    if (!given.length) return place.replaceChildren(...kept, invitation(), status);
    place.replaceChildren(
      ...kept,
      make("p", {
        textContent: `${given.length} of ${all.length} questions answered, ${given.filter(({ answer }) => answer.right).length} of them right.`,
      }),
      make("div", { className: "question-buttons" }, print_, save, forget),
      status,
      ...again(given, silent),
      ...section("Missed", lines(given.filter(({ answer }) => !answer.right)), "Nothing so far."),
      make("h2", { textContent: "By chapter" }),
      make("table", { className: "table" }, make("thead", {}, head), make("tbody", {}, ...rows)),
    );
  }

  show();
})();
