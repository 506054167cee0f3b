// Ten people want one thing each, and need at most two actions: a text with Enter, or a click. Links lead to pages to
// act on, not to home pages. A caveat comes before the answer that it changes.
import assert from "node:assert/strict";
import { SITE, fail, open, tab } from "./browser.mjs";

/** A person at a page, whose actions are counted. */
class Person {
  constructor(page) {
    this.page = page;
    this.actions = 0;
  }
  async start(path = "/") { await this.page.goto(SITE + path); }
  async type(text) {
    this.actions += 1;
    await this.page.locator("#q").fill(text);
    const before = this.page.url();
    await this.page.locator("#q").press("Enter");
    await this.page.waitForURL((url) => url.href !== before);
  }
  async click(locator) {
    this.actions += 1;
    await locator.first().click();
    await this.page.waitForLoadState();
  }
  /** The task on the page: its text, the address of its first link, and how far below the top it stands. */
  async task(name) {
    const task = this.page.locator(`li#${name}`);
    await task.waitFor();
    return { text: await task.innerText(), href: await task.locator("a[rel=external]").first().getAttribute("href"), top: await task.evaluate((one) => one.getBoundingClientRect().top + scrollY) };
  }
}

const users = {
  async "a home owner in Stowe wants a building permit"(person) {
    await person.type("Stowe VT building permit");
    assert.match(person.page.url(), /#permits$/);
    assert.match((await person.task("permits")).text, /Zoning Administrator/);
  },
  async "a home owner in Houston wants to pay the bill"(person) {
    await person.type("houston tx property tax bill");
    await person.click(person.page.locator(".choices a", { hasText: "City of Houston" }));
    const task = await person.task("tax_collection");
    assert.match(task.text, /Harris County/);
    assert.match(task.href, /hctax\.net/);
    const caution = await person.page.locator(".caution").first().evaluate((one) => one.getBoundingClientRect().top + scrollY);
    assert.match(await person.page.locator(".caution").first().innerText(), /Fort Bend/);
    assert.ok(caution < task.top, "the caution comes first");
  },
  async "a title clerk wants the recorder of Cook County, and its map"(person) {
    await person.type("cook county il");
    const deeds = await person.task("recording"), map = await person.task("gis");
    assert.match(deeds.href, /cookcountyclerkil\.gov/);
    assert.match(map.href, /maps\.cookcountyil\.gov/);
  },
  async "an owner in Florida wants the deadline of the homestead exemption"(person) {
    await person.type("florida homestead deadline");
    assert.match(await person.page.locator("main").innerText(), /March 1/);
  },
  async "somebody knows the ZIP code only"(person) {
    await person.type("33012");
    await person.click(person.page.locator(".cities a", { hasText: "Hialeah" }));
    assert.match((await person.task("permits")).text, /City of Hialeah/);
  },
  async "somebody asks in Spanish"(person) {
    await person.type("permiso de construcción Hialeah");
    assert.match(person.page.url(), /#permits$/);
  },
  async "somebody listens to the page, by headings"(person) {
    await person.type("Stowe, Vermont");
    const names = await person.page.locator("main h1, main h2, main h3").allInnerTexts();
    assert.equal(names[0], "Town of Stowe, Vermont");
    assert.ok(names.slice(0, 4).includes("Pay a property tax bill"), names.join(" | "));
    assert.equal(await person.page.locator('main a.skip[href="#after-map"]').count(), 1);
  },
  async "somebody has only a keyboard, and wants a state in ten keys"(person) {
    // Tab moves to the text field; then two letters and Enter.
    let keys = 0;
    for (; keys < 6; keys += 1) {
      if ((await person.page.evaluate(() => document.activeElement?.id)) === "q") break;
      await person.page.keyboard.press("Tab");
    }
    for (const key of ["t", "x", "Enter"]) { await person.page.keyboard.press(key); keys += 1; }
    person.actions = 1;
    await person.page.waitForURL(/\/states\/TX/);
    assert.ok(keys <= 10, `${keys} keys`);
  },
  async "a journalist wants to cite the answer"(person) {
    await person.start("/at/44.9773,-93.2655");
    await person.click(person.page.locator("details.cite summary"));
    assert.match(await person.page.locator("details.cite").innerText(), /edition [0-9a-f]{32}.*\/at\/44\.9773,-93\.2655/s);
  },
  async "a developer wants to see an answer of the API"(person) {
    await person.click(person.page.locator("footer a", { hasText: "API" }));
    assert.match(await person.page.locator(".answer").first().innerText(), /"data"/);
  },
};

for (const [name, way] of Object.entries(users)) {
  // A new browser for each person, because a small machine kills a browser that runs for long.
  const browser = await open();
  const { page, faults, context } = await tab(browser, { viewport: { width: 390, height: 844 } });
  const person = new Person(page), found = [];
  try {
    await person.start();
    await way(person);
    assert.ok(person.actions <= 2, `${person.actions} actions`);
  } catch (error) {
    found.push(`${name}: ${error.message}`);
  }
  found.push(...faults);
  console.log(found.length === 0 ? "ok  " : "FAIL", name, `(${person.actions})`);
  fail(found);
  await context.close();
  await browser.close();
}
