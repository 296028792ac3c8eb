// The page of all answers shows how many were right, which were wrong, and which questions are due for a second look.
// Readers can print, save and delete their answers.
(() => {
  "use strict";
  const DAY = 24 * 60 * 60 * 1000;
  const WAITS = [DAY, 7 * DAY]; // until the first repetition, and from there to the second
  const place = document.getElementById("all-answers");
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  const due = ({ at, again = 0 }) => again < WAITS.length && Date.now() - at >= WAITS[again];
  const day = (at) => new Date(at).toLocaleDateString();
  const link = (page, { id, text }) => make("a", { href: `${page.address}#question-${id}`, textContent: text });

  function line(page, question, answer) {
    const words = answer.right ? "right" : "not quite";
    const rest = ` – ${words}, ${day(answer.at)}${answer.again ? `, answered ${answer.again + 1} times` : ""}`;
    return make("li", {}, link(page, question), rest);
  }

  function section(title, lines, empty) {
    const heading = make("h2", { textContent: title });
    return [heading, lines.length ? make("ul", {}, ...lines) : make("p", { textContent: empty })];
  }

  function exported() {
    const { questions } = answers.load();
    const rows = all_questions.flatMap(({ page, questions: all }) =>
      all.filter(({ id }) => questions[id]).map((question) => ({ page, ...question, ...questions[question.id] })),
    );
    const text = JSON.stringify({ book: "Attention, Measured", answers: rows }, null, 1);
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    make("a", { href: address, download: "attention-measured-answers.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  function show() {
    const { questions } = answers.load();
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
    place.replaceChildren(
      make("p", {
        textContent: `${given.length} of ${all.length} questions answered, ${given.filter(({ answer }) => answer.right).length} of them right.`,
      }),
      make("div", { className: "question-buttons" }, print_, save, forget),
      status,
      ...section(
        "Due for a second look",
        lines(given.filter(({ answer }) => due(answer))),
        "Nothing today. A question comes back a day after you answer it, and again a week later.",
      ),
      ...section("Missed", lines(given.filter(({ answer }) => !answer.right)), "Nothing so far."),
      make("h2", { textContent: "By chapter" }),
      make("table", { className: "table" }, make("thead", {}, head), make("tbody", {}, ...rows)),
    );
  }

  show();
})();
