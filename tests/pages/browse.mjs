// Takes steps of a person, each in a fresh tab. Fails on a console error, and on a request to another host.
import assert from "node:assert/strict";
import { SITE, fail, open, tab } from "./browser.mjs";

const steps = {
  async "a name is typed, suggested and chosen with the keyboard"({ page }) {
    await page.goto(SITE + "/");
    const field = page.getByRole("combobox");
    await field.pressSequentially("stowe, v");
    await page.getByRole("option").first().waitFor();
    assert.equal(await field.getAttribute("aria-expanded"), "true");
    await field.press("ArrowDown");
    const active = await field.getAttribute("aria-activedescendant");
    assert.match(await page.locator("#" + active).innerText(), /Stowe/);
    await field.press("Enter");
    await page.waitForURL(/\/places\//);
    assert.match(await page.locator("h1").innerText(), /Stowe, Vermont/);
  },
  async "Escape closes the suggestions, and Enter asks for what was typed"({ page }) {
    await page.goto(SITE + "/");
    const field = page.getByRole("combobox");
    await field.pressSequentially("Springfield");
    await page.getByRole("option").first().waitFor();
    await field.press("Escape");
    assert.equal(await field.getAttribute("aria-expanded"), "false");
    await field.press("Enter");
    await page.waitForURL(/q=Springfield/);
    assert.match(await page.locator("h1").innerText(), /which one/);
    await page.locator(".choices a").first().click();
    await page.waitForURL(/\/places\//);
  },
  async "coordinates lead to their answer"({ page }) {
    await page.goto(SITE + "/");
    await page.getByRole("combobox").fill("44.9773, -93.2655");
    await page.getByRole("button", { name: "Look it up" }).click();
    await page.waitForURL(/\/at\/44\.9773,-93\.2655/);
    assert.match(await page.locator("h1").innerText(), /Minneapolis/);
    assert.equal(await page.locator(".tasks > li").count(), 7);
  },
  async "an address leads to an answer, or to its town where no geocoder is set up"({ page }) {
    await page.goto(SITE + "/");
    await page.getByRole("combobox").fill("350 S 5th St, Minneapolis, MN");
    await page.getByRole("combobox").press("Enter");
    await page.waitForURL(/q=350/);
    const heading = await page.locator("h1").innerText();
    assert.match(heading, /Minneapolis|Which town/);
    if (/Which town/.test(heading)) assert.match(await page.locator(".choices").innerText(), /Minneapolis/);
  },
  async "the map leads from the country to a town and a point"({ page }) {
    await page.goto(SITE + "/");
    await page.locator('svg.map a[href="/states/VT"]').click({ force: true });
    await page.waitForURL(/\/states\/VT/);
    await page.locator('svg.map a[href="/places/county:50015"]').click();
    await page.waitForURL(/county:50015/);
    await page.locator("svg.map .area a").first().click({ force: true });
    await page.waitForURL(/cousub:/);
    await page.locator("svg.map .self path").click();
    await page.waitForURL(/\/at\//);
    assert.match(await page.locator("h1").innerText(), /Vermont/);
  },
  async "every state and territory is on the map of the country"({ page }) {
    await page.goto(SITE + "/");
    assert.equal(await page.locator('svg.map a[href^="/states/"]').count(), 56);
    assert.equal(await page.locator('svg.map a[href^="/states/"] path[d^="M"]').count(), 56);
  },
  async "who to call comes before the reasons, with a way to reach each"({ page }) {
    await page.goto(SITE + "/at/44.4654,-72.6874");
    const lines = page.locator(".tasks > li");
    assert.equal(await lines.count(), 7);
    for (const line of await lines.all()) assert.match(await line.innerText(), /\.|\d{3}/);
    assert.equal(await page.locator("#why p").first().isVisible(), false);
    await page.locator("#why summary").click();
    assert.equal(await page.locator("#why p").first().isVisible(), true);
  },
  async "the areas of a map are reached with the keyboard"({ page }) {
    await page.goto(SITE + "/states/RI");
    await page.locator("svg.map .area a").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/places\/county:44/);
  },
  async "the location of the device leads to its point"({ page, context }) {
    await context.grantPermissions(["geolocation"], { origin: SITE });
    await context.setGeolocation({ latitude: 44.4654, longitude: -72.6874 });
    await page.goto(SITE + "/");
    await page.getByRole("button", { name: "Use my location" }).click();
    await page.waitForURL(/\/at\/44\.4654/);
    assert.match(await page.locator("h1").innerText(), /Stowe/);
  },
  async "a guide switches its state"({ page }) {
    await page.goto(SITE + "/guides/zoning");
    await page.getByLabel("Rules of").selectOption("VT");
    await page.waitForURL(/state=VT/);
    assert.match(await page.locator(".state-rules").innerText(), /In Vermont/);
    await page.getByLabel("Rules of").selectOption("TX");
    await page.waitForURL(/state=TX/);
  },
  async "the list of a place's pages goes on"({ page }) {
    await page.goto(SITE + "/states/MN");
    const more = page.locator('a[rel="next"]');
    if ((await more.count()) > 0) {
      await more.click();
      await page.waitForURL(/cursor=/);
      assert.ok((await page.locator("#pages li").count()) > 0);
    }
  },
  async "an example of the interface runs"({ page }) {
    await page.goto(SITE + "/docs#search");
    const form = page.locator("#search form");
    await form.locator("[name=q]").fill("stowe");
    await form.locator("[name=state]").fill("VT");
    await form.getByRole("button").click();
    await page.locator("#search .answer", { hasText: "cousub:5001570525" }).waitFor();
    assert.match(await form.locator("[data-status]").innerText(), /Status 200/);
  },
  async "a page prints without its controls, and says the addresses of its links"({ page }) {
    await page.goto(SITE + "/at/44.9773,-93.2655");
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("form.ask").first().isVisible(), false);
    assert.equal(await page.locator("h1").isVisible(), true);
    const after = await page.locator('a[rel="external"]').first().evaluate((link) => getComputedStyle(link, "::after").content);
    assert.match(after, /http/);
  },
  async "a click on the map of a point moves it, with the step of zoom"({ page }) {
    await page.goto(SITE + "/at/44.4654,-72.6874");
    await page.locator(".steps a", { hasText: "A mile" }).click();
    await page.waitForURL(/zoom=walk/);
    await page.locator("svg.map").click({ position: { x: 40, y: 40 } });
    await page.waitForURL(/\/at\/44\.47.*zoom=walk/);
  },
  async "the map of a point moves under the mouse, and the server draws it anew"({ page }) {
    await page.goto(SITE + "/at/44.4654,-72.6874?zoom=walk");
    const dot = async () => Number(await page.locator("svg.map .dot").getAttribute("cx"));
    const before = await dot(), box = await page.locator("svg.map").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 80, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/\/at\/44\.4654,-72\.6874\?zoom=44\.46\d+_-72\.6\d+_\d+$/);
    assert.ok(Math.abs(before - (await dot()) - (80 * 960) / box.width) < 12, `${before} to ${await dot()}`);
    assert.equal(await page.locator("svg.map .movers a").count(), 96);
    await page.locator("svg.map").click({ position: { x: 60, y: 60 } });
    await page.waitForURL(/\/at\/44\.4\d+,-72\.\d+\?zoom=44\.46/);
  },
  async "two fingers zoom the map of a point, and one finger scrolls the page"({ page }) {
    await page.goto(SITE + "/at/44.4654,-72.6874?zoom=walk");
    const touch = (apart, fingers) => page.locator("svg.map").evaluate((map, [apart, fingers]) => {
      const { left, top, width, height } = map.getBoundingClientRect(), x = left + width / 2, y = top + height / 2;
      const touches = [-1, 1].slice(0, fingers).map((side, identifier) => new Touch({ identifier, target: map, clientX: x + (side * apart) / 2, clientY: y }));
      const event = new TouchEvent("touchmove", { touches, cancelable: true, bubbles: true });
      map.dispatchEvent(event);
      return event.defaultPrevented;
    }, [apart, fingers]);
    assert.equal(await touch(40, 1), false);
    assert.equal(await touch(50, 2), true);
    await touch(100, 2);
    await page.locator("svg.map").dispatchEvent("touchend");
    await page.waitForURL(/zoom=44\.465\d*_-72\.687\d*_\d+$/);
    const meters = Number(new URL(page.url()).searchParams.get("zoom").split("_")[2]);
    assert.ok(Math.abs(meters - 600) < 40, `${meters} m`);
  },
};

const withoutScript = {
  async "without script, a name leads to its place and a map to its state"({ page }) {
    await page.goto(SITE + "/");
    await page.locator("#q").fill("Stowe, Vermont");
    await page.getByRole("button", { name: "Look it up" }).click();
    await page.waitForURL(/\/places\//);
    await page.goto(SITE + "/guides/zoning");
    await page.locator("#state").selectOption("VT");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/state=VT/);
  },
  async "without script, a click on the map of a point moves it"({ page }) {
    await page.goto(SITE + "/at/44.4654,-72.6874?zoom=walk");
    await page.locator(".movers a").first().click();
    await page.waitForURL(/\/at\/44\.47.*zoom=walk/);
  },
  async "without script, an edited request of the API is answered"({ page }) {
    await page.goto(SITE + "/docs#search");
    await page.locator("#search [name=q]").fill("stowe");
    await page.locator("#search form button").click();
    await page.waitForURL(/\/v1\/search\?q=stowe/);
  },
};

const browser = await open();
for (const [group, options] of [[steps, {}], [withoutScript, { javaScriptEnabled: false }]]) {
  for (const [name, step] of Object.entries(group)) {
    const opened = await tab(browser, options);
    const faults = [];
    try {
      await step(opened);
    } catch (error) {
      faults.push(`${name}: ${error.message}`);
    }
    faults.push(...opened.faults.map((fault) => `${name}: ${fault}`));
    console.log(faults.length === 0 ? "ok  " : "FAIL", name);
    fail(faults);
    await opened.context.close();
  }
}
await browser.close();
