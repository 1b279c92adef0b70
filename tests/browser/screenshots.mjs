// Pictures of every page kind, wide and narrow, light and dark: `npm run screenshots -- FOLDER [KIND...]`.
import { mkdirSync } from "node:fs";
import { kinds, launch, url } from "./archive.mjs";

const [folder = "screenshots", ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const [size, width] of [["wide", 1280], ["narrow", 390]]) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport: { width, height: 1000 }, colorScheme });
    const page = await context.newPage();
    for (const [kind, path] of Object.entries(kinds)) {
      if (wanted.length && !wanted.includes(kind)) continue;
      await page.goto(url(path));
      const height = Math.min(4200, await page.evaluate(() => document.documentElement.scrollHeight));
      const clip = { x: 0, y: 0, width, height };
      await page.screenshot({ path: `${folder}/${kind}-${size}-${colorScheme}.png`, clip, fullPage: true });
    }
    await context.close();
  }
}
await browser.close();
