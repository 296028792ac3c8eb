// Turns the page's predictions and quizzes into forms. The answers stay on this machine.
"use strict";
book.answers = (() => {
  const KEY = "attention-measured/answers";

  const DAY = 24 * 60 * 60 * 1000;
  const WAITS = [1, 3, 7, 21]; // days until a missed question is asked again, after each right answer a longer time

  const is_object = (one) => typeof one === "object" && one !== null;
  const is_answer = (one) => is_object(one) && typeof one.right === "boolean" && Number.isFinite(one.at);
  /** The entries of what was stored that have the right shape; other programs of this site's host may store there. */
  const those = (stored, fits) =>
    Object.fromEntries(Object.entries(is_object(stored) ? stored : {}).filter(([, one]) => fits(one)));

  /** Each question has {said, right, page, at (milliseconds), again (how many earlier answers)}, and while it is asked
      again, {due (milliseconds), step (an index of WAITS)}. Each page has {questions (their ids), read (to the end)}.
      `silent`: the reader wants no question again. */
  function load() {
    try {
      const { questions, pages, silent } = JSON.parse(localStorage.getItem(KEY)) ?? {};
      return { questions: those(questions, is_answer), pages: those(pages, is_object), silent: silent === true };
    } catch {
      return { questions: {}, pages: {}, silent: false }; // another program stored something else
    }
  }

  /** Change the stored data; false if the browser keeps nothing for longer than this page is open. */
  function keep(change) {
    const all = load();
    change(all);
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
      return !localStorage.for_this_page; // first.js has put a stand-in there
    } catch {
      return false;
    }
  }

  /** When a question comes back: after a wrong answer tomorrow, after a right one when it was due later, or no more. */
  function next_time(before, right, now) {
    if (!right) return { due: now + WAITS[0] * DAY, step: 0 };
    if (!before?.due) return {};
    if (now < before.due) return { due: before.due, step: before.step };
    const step = before.step + 1;
    return step < WAITS.length ? { due: now + WAITS[step] * DAY, step } : {};
  }

  /** Store an answer; false if the browser stores nothing. */
  const record = (id, page, { said, right }, now = Date.now()) =>
    keep((all) => {
      const before = all.questions[id];
      const again = before ? (before.again ?? 0) + 1 : 0;
      all.questions[id] = { said, right, page, at: now, again, ...next_time(before, right, now) };
    });

  /** Whether these are the right choices; several are right only together. */
  const is_right = (chosen, right) =>
    right.length > 1 ? chosen.join() === right.join() : chosen.length === 1 && right.includes(chosen[0]);

  const forget = () => localStorage.removeItem(KEY);

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

  /** Whether a number is close enough to the right one: `within` is a percentage, such as "10%". */
  function is_near(x, right, within) {
    const room = (Math.abs(right) * Number.parseFloat(within)) / 100;
    return Math.abs(x - right) <= room * (1 + 1e-12);
  }

  /** The answer in a form, as { said, right }. If there is none, `problem` says so, and the result is null. */
  function answer_in(form, problem, { right, number, within }) {
    const field = form.querySelector("input[type=text]");
    const x = field && number_of(field.value);
    const chosen = [...form.querySelectorAll("input:checked")].map((input) => Number(input.value));
    const is_missing = field ? !Number.isFinite(x) : !chosen.length;
    const expected = field
      ? book.say("Expected a number, such as 0.5, 1/3 or 1e-9; got “{words}”.", { words: field.value })
      : book.say("Choose an answer first.");
    problem.textContent = is_missing ? expected : "";
    field?.setAttribute("aria-invalid", is_missing);
    if (is_missing) form.querySelector("input").focus();
    if (is_missing) return null;
    if (field) return { said: field.value.trim(), right: is_near(x, number, within) };
    return { said: chosen.length > 1 ? chosen : chosen[0], right: is_right(chosen, right) };
  }

  return { KEY, DAY, answer_in, load, keep, record, forget, number_of, is_near, is_right, next_time };
})();

if (typeof document !== "undefined") {
  const { make } = book;
  const { answer_in, load, keep, record } = book.answers;
  const page_of = ({ pathname }) => pathname.replace(/^.*\/|\.html$/g, "");

  /** The list of choices as inputs. */
  function choices_of(list, about) {
    const type = about.right.length > 1 ? "checkbox" : "radio";
    const labels = [...list.children].map((item, i) => {
      const input = make("input", { type, name: `question-${about.id}`, value: i + 1 });
      return make("label", { class: "question-choice" }, input, make("span", {}, ...item.childNodes));
    });
    list.remove();
    return labels;
  }

  /** Make a form of a question's choices, or of its line for a number. `field` is the input for the number, or null. */
  function form_of(reply, about) {
    const inner = reply.parentElement; // Sphinx puts the content of a block quote into an inner element
    const list = [...inner.querySelectorAll(":scope > ul")].at(-1);
    const button = make("button", { type: "submit" }, book.say("Answer"));
    const problem = make("p", { class: "question-problem", role: "alert" });
    const status = make("div", { class: "question-said", role: "status" });
    const form = make("form", { class: "question-form", novalidate: true });
    const asked = inner.querySelector(":scope > p");
    asked.id = `question-${about.id}-text`;
    const fieldset = make("fieldset", { "aria-labelledby": asked.id }); // the question names the group of choices
    let field = null;
    if (list) fieldset.append(...choices_of(list, about));
    else {
      const id = `question-${about.id}-number`;
      field = make("input", { type: "text", id, inputmode: "decimal", autocomplete: "off", placeholder: " " });
      const line = [...inner.querySelectorAll(":scope > p")].at(-1);
      const label = make("label", { for: id }, ...line.childNodes);
      line.remove();
      fieldset.append(make("div", { class: "question-number" }, label, field, about.unit));
    }
    form.append(fieldset, problem, button);
    reply.before(form, status);
    reply.classList.add("is-waiting");
    return { form, fieldset, field, problem, button, status };
  }

  /** Show the reply to an answer, with the solution if the box has one. A new reply is announced. */
  function show_reply(reply, { status, button }, { said, right }, is_new) {
    for (const line of reply.querySelectorAll(".reply-choice"))
      line.hidden = ![said].flat().includes(Number(line.dataset.choice));
    reply.querySelector(".reply-right").hidden = right;
    if (!is_new) status.setAttribute("aria-live", "off");
    const words = right ? book.say("That is right.") : book.say("Not quite.");
    reply.classList.remove("is-waiting");
    reply.classList.add("is-answered");
    reply.open = true;
    status.replaceChildren(make("p", {}, make("strong", {}, words)), reply);
    status.classList.toggle("is-right", right);
    button.textContent = book.say("Answer again");
  }

  /** Make a question into a form; once an answer has been given, show the reply below it. */
  function take_answers(reply) {
    const about = JSON.parse(reply.dataset.question);
    const parts = form_of(reply, about);
    const { form, fieldset, field, problem, status } = parts;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const answer = answer_in(form, problem, about);
      if (!answer) return;
      status.removeAttribute("aria-live");
      const kept = record(about.id, page_of(location), answer);
      mark_contents();
      show_reply(reply, parts, answer, true);
      form.dispatchEvent(new Event("answered", { bubbles: true }));
      if (!kept) status.append(make("p", {}, book.say("This browser does not keep your answers on this page.")));
    });

    const before = load().questions[about.id];
    if (!before) return;
    if (field) field.value = before.said;
    else
      for (const input of fieldset.querySelectorAll("input"))
        input.checked = [before.said].flat().includes(Number(input.value));
    show_reply(reply, parts, before, false);
  }

  // Each question becomes a form when the reader scrolls near it: all forms at once would delay a long page's layout.
  // But the first key press makes all forms, because Tab would skip questions without a form.
  const waiting = new Set(document.querySelectorAll("blockquote.question"));
  const wake = (box) => waiting.delete(box) && take_answers(box.querySelector("details.reply"));
  const near = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => wake(entry.target)),
    { rootMargin: "600px" },
  );
  for (const box of waiting) near.observe(box);
  addEventListener("keydown", () => waiting.forEach(wake), { once: true, capture: true });

  // Store which questions the page has, and whether its end has been seen; the table of contents shows both.
  const replies = [...document.querySelectorAll("details.reply")].map((reply) => JSON.parse(reply.dataset.question).id);
  const end = document.querySelector(".prev-next-footer");
  const note = (change) => keep((all) => Object.assign((all.pages[page_of(location)] ??= {}), change));
  if (replies.length) note({ questions: replies });
  if (replies.length && end)
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      note({ read: true });
      mark_contents();
    }).observe(end);

  function spoken(is_read, answered, all) {
    if (!answered) return book.say("(read to the end)");
    return is_read
      ? book.say("(read to the end, {answered} of {all} questions answered)", { answered, all })
      : book.say("({answered} of {all} questions answered)", { answered, all });
  }

  /** Mark each chapter in the table of contents: 3/10 answers given, and ✓ if it has been read to the end. */
  function mark_contents() {
    const { questions, pages } = load();
    for (const link of document.querySelectorAll(".bd-links a.reference.internal")) {
      const name = page_of(link);
      const about = pages[name];
      link.querySelector(".question-mark")?.remove();
      if (!about) continue;
      const ids = Array.isArray(about.questions) ? about.questions : []; // a number, until the page is visited again
      const answered = ids.filter((id) => questions[id]).length;
      if (!answered && !about.read) continue;
      const shown = `${about.read ? "✓ " : ""}${answered ? `${answered}/${ids.length}` : ""}`.trim();
      const for_eyes = make("span", { "aria-hidden": "true" }, shown);
      const for_ears = make("span", { class: "visually-hidden" }, ` ${spoken(about.read, answered, ids.length)}`);
      link.append(" ", make("span", { class: "question-mark" }, for_eyes, for_ears));
    }
  }
  mark_contents();
}
