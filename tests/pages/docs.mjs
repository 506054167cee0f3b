// Runs every example of the page on the API, as it is shown, in each language that this machine has.
import { execFileSync } from "node:child_process";
import { SITE, fail, open, tab } from "./browser.mjs";

/** How code of a language is run, and how one sees whether the language is there. */
const RUNS = {
  curl: { probe: ["curl", "--version"], run: (code) => ["sh", "-c", code.replace("curl ", "curl --silent --show-error --fail-with-body ")] },
  python: { probe: ["python3", "--version"], run: (code) => ["python3", "-c", code] },
  javascript: { probe: ["node", "--version"], run: (code) => ["node", "--input-type=module", "-e", code] },
  r: { probe: ["Rscript", "-e", "library(jsonlite)"], run: (code) => ["Rscript", "-e", code] },
};

function ran([program, ...args]) {
  return execFileSync(program, args, { encoding: "utf8", timeout: 60_000, stdio: ["ignore", "pipe", "pipe"] });
}

const browser = await open();
for (const [language, { probe, run }] of Object.entries(RUNS)) {
  try {
    ran(probe);
  } catch {
    console.log("skip", language, "is not on this machine");
    continue;
  }
  const { page, faults, context } = await tab(browser);
  await page.goto(`${SITE}/docs?lang=${language}`);
  const codes = await page.locator("section.operation pre[data-copy] code").allTextContents();
  if (codes.length < 8) faults.push(`${language}: ${codes.length} examples`);
  for (const code of codes) {
    try {
      const output = ran(run(code));
      if (output.trim().length < 40) faults.push(`${language}: ${code} prints ${output}`);
    } catch (error) {
      faults.push(`${language}: ${code}: ${error.stderr || error.message}`);
    }
  }
  console.log(faults.length === 0 ? "ok  " : "FAIL", language, codes.length, "examples");
  fail(faults);
  await context.close();
}
await browser.close();
