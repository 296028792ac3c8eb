// Predictions and quizzes take an answer, which stays on this machine. One pass over the questions of the page.
globalThis.answers = (() => {
  "use strict";
  const KEY = "attention-measured/answers";

  /** Answers by question, {said, right, page, at (milliseconds), again (how often before)}; by page {questions, read}. */
  function load() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY));
      return { questions: kept?.questions ?? {}, pages: kept?.pages ?? {} };
    } catch {
      return { questions: {}, pages: {} }; // a browser that keeps nothing, or something else under this name
    }
  }

  /** False where the browser keeps nothing. */
  function keep(change) {
    const all = load();
    change(all);
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
      return true;
    } catch {
      return false;
    }
  }

  function forget() {
    try {
      localStorage.removeItem(KEY);
    } catch {} // nothing was kept
  }

  /** A number as people write it: 1,5 or 1.5, 1/3, 2^10, 1e-9, 50 %. NaN for anything else. */
  function number_of(text) {
    const plain = text
      .trim()
      .replace(/\s+/g, "")
      .replace("−", "-")
      .replace(/^(-?\d+),(\d+)$/, "$1.$2")
      .replace(/×10\^?/, "e");
    const power = plain.match(/^(-?[\d.]+)\^(-?[\d.]+)$/);
    if (power) return Number(power[1]) ** Number(power[2]);
    const ratio = plain.match(/^(-?[\d.]+)\/([\d.]+)$/);
    if (ratio) return Number(ratio[1]) / Number(ratio[2]);
    if (/^-?[\d.]+%$/.test(plain)) return Number(plain.slice(0, -1)) / 100;
    return plain === "" ? NaN : Number(plain);
  }

  /** Whether a number is near enough: "10%" and "0.5" are differences, "factor 2" is a ratio. */
  function is_near(x, right, within) {
    if (within.startsWith("factor ")) {
      const factor = Number(within.slice(7));
      return x * right > 0 && Math.abs(Math.log(x / right)) <= Math.log(factor) * (1 + 1e-12);
    }
    const room = within.endsWith("%") ? (Math.abs(right) * Number(within.slice(0, -1))) / 100 : Number(within);
    return Math.abs(x - right) <= room * (1 + 1e-12);
  }

  return { KEY, load, keep, forget, number_of, is_near };
})();

if (typeof document !== "undefined") {
  const { load, keep, number_of, is_near } = answers;
  const page_of = ({ pathname }) =>
    pathname
      .split("/")
      .at(-1)
      .replace(/\.html$/, "");
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  /** The list, or the line for a number, becomes a form; what is right is shown below it when an answer has been given. */
  function take_answers(reply) {
    const about = JSON.parse(reply.dataset.question);
    const box = reply.closest("blockquote");
    const inner = reply.parentElement; // the builder puts what a quotation holds into a box of its own
    const list = [...inner.querySelectorAll(":scope > ul")].at(-1);
    const isQuiz = box.classList.contains("callout-quiz");
    const button = make("button", { type: "submit", textContent: "Answer" });
    const problem = make("p", { className: "question-problem" });
    problem.setAttribute("role", "alert");
    const status = make("div", { className: "question-said" });
    status.setAttribute("role", "status");
    const form = make("form", { className: "question-form", noValidate: true });
    const asked = inner.querySelector(":scope > p");
    asked.id = `question-${about.id}-text`;
    const fieldset = make("fieldset");
    fieldset.setAttribute("aria-labelledby", asked.id); // the question is the name of its choices
    let field = null;

    if (list) {
      const several = about.right.length > 1;
      [...list.children].forEach((item, i) => {
        const input = make("input", {
          type: several ? "checkbox" : "radio",
          name: `question-${about.id}`,
          value: i + 1,
        });
        const label = make("label", { className: "question-choice" }, input, make("span", {}, ...item.childNodes));
        fieldset.append(label);
      });
      list.remove();
    } else {
      const id = `question-${about.id}-number`;
      field = make("input", { type: "text", id, inputMode: "decimal", autocomplete: "off" });
      const line = [...inner.querySelectorAll(":scope > p")].at(-1);
      const label = make("label", { htmlFor: id }, ...line.childNodes);
      line.remove();
      fieldset.append(make("div", { className: "question-number" }, label, field, about.unit));
    }
    form.append(fieldset, problem, button);
    reply.before(form, status);
    reply.classList.add("is-waiting");

    const show = ({ said, right }, speaks) => {
      for (const line of reply.querySelectorAll(".reply-choice"))
        line.hidden = ![said].flat().includes(Number(line.dataset.choice));
      const words = right ? "That is right." : "Not so.";
      const parts = [...reply.querySelectorAll("p:not([hidden])")].filter(
        (p) => !(right && p.className === "reply-right"),
      );
      status.replaceChildren(
        make("p", {}, make("strong", { textContent: words })),
        ...parts.map((p) => p.cloneNode(true)),
      );
      status.classList.toggle("is-right", right);
      if (!speaks) status.setAttribute("aria-live", "off");
      button.textContent = "Answer again";
      const answer = box.nextElementSibling;
      if (isQuiz && answer?.tagName === "DETAILS" && speaks) answer.open = true;
    };

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      let said, right;
      if (field) {
        const x = number_of(field.value);
        if (!Number.isFinite(x)) {
          problem.textContent = `A number is expected, such as 0.5, 1/3 or 1e-9; got “${field.value}”.`;
          field.setAttribute("aria-invalid", "true");
          return field.focus();
        }
        field.removeAttribute("aria-invalid");
        said = field.value.trim();
        right = is_near(x, about.number, about.within);
      } else {
        const chosen = [...fieldset.querySelectorAll("input:checked")].map((input) => Number(input.value));
        if (!chosen.length) {
          problem.textContent = "Choose an answer first.";
          return fieldset.querySelector("input").focus();
        }
        said = chosen.length > 1 ? chosen : chosen[0];
        const takes = fieldset.querySelector("input").type === "checkbox";
        right = takes ? chosen.join() === about.right.join() : about.right.includes(said);
      }
      problem.textContent = "";
      status.removeAttribute("aria-live");
      const kept = keep((all) => {
        const before = all.questions[about.id];
        all.questions[about.id] = {
          said,
          right,
          page: page_of(location),
          at: Date.now(),
          again: before ? (before.again ?? 0) + 1 : 0,
        };
      });
      mark_contents();
      show({ said, right }, true);
      if (!kept) status.append(make("p", { textContent: "This browser keeps no answers for pages such as this one." }));
    });

    const before = load().questions[about.id];
    if (before) {
      if (field) field.value = before.said;
      else
        for (const input of fieldset.querySelectorAll("input"))
          input.checked = [before.said].flat().includes(Number(input.value));
      show(before, false);
    }
  }

  // Each when it comes near: all at once would cost a long page its layout while it is loaded. But all with the first
  // key: Tab goes from stop to stop, however far, and what is no form yet would be passed by.
  const waiting = new Set(document.querySelectorAll("blockquote.question"));
  const wake = (box) => waiting.delete(box) && take_answers(box.querySelector("details.reply"));
  const near = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => wake(entry.target)),
    { rootMargin: "600px" },
  );
  for (const box of waiting) near.observe(box);
  addEventListener("keydown", () => waiting.forEach(wake), { once: true, capture: true });

  // How many questions the page has, and whether its end was seen; both for the contents.
  const replies = document.querySelectorAll("details.reply").length;
  const end = document.querySelector(".prev-next-footer");
  const note = (change) => keep((all) => Object.assign((all.pages[page_of(location)] ??= {}), change));
  if (replies) note({ questions: replies });
  if (replies && end)
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      note({ read: true });
      mark_contents();
    }).observe(end);

  /** Behind each chapter of the contents: answered 3 of 10, and whether it was read. */
  function mark_contents() {
    const { questions, pages } = load();
    const given = Object.values(questions);
    for (const link of document.querySelectorAll(".bd-links a.reference.internal")) {
      const name = page_of(link);
      const about = pages[name];
      link.querySelector(".question-mark")?.remove();
      if (!about) continue;
      const answered = given.filter(({ page }) => page === name).length;
      if (!answered && !about.read) continue;
      const shown = `${about.read ? "✓ " : ""}${answered ? `${answered}/${about.questions}` : ""}`.trim();
      const spoken = [
        about.read && "read to the end",
        answered && `${answered} of ${about.questions} questions answered`,
      ];
      const mark = make(
        "span",
        { className: "question-mark" },
        make("span", { textContent: shown, ariaHidden: "true" }),
      );
      mark.append(
        make("span", { className: "visually-hidden", textContent: ` (${spoken.filter(Boolean).join(", ")})` }),
      );
      link.append(" ", mark);
    }
  }
  mark_contents();
}
