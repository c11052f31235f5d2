/** Runs tests of a view on canned bodies, each with a window and a fixture of its own. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { test } from 'vitest'
import { describeInBrowser } from './browser.ts'
import { type Fixture, startFixture } from './fixture.ts'

export interface ViewVisit {
  readonly page: Page
  /** A fixture whose ticks run only by `step`. */
  readonly fixture: Fixture
  /** Opens an address of the page and waits until `selector` is there. */
  open(path: string, selector: string): Promise<void>
}

export const NARROW: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
}

type Run = (visit: ViewVisit) => Promise<void>
type ViewTest = (name: string, run: Run, options?: BrowserContextOptions) => void

/** Describes a view; each test begins in an empty window. */
export function describeView(title: string, body: (viewTest: ViewTest) => void): void {
  describeInBrowser(title, ({ visit }) =>
    body((name, run, options) =>
      test(name, async () => {
        const fixture = await startFixture({ isManual: true })
        try {
          // The icon has the fixture's origin but none of the page's scripts.
          const { page } = await visit(`${fixture.url}/favicon.svg`, options)
          const open = async (path: string, selector: string) => {
            await page.goto(fixture.url + path)
            await page.waitForSelector(selector)
          }
          await run({ page, fixture, open })
        } finally {
          await fixture.close()
        }
      }),
    ),
  )
}

/** Tells by how many pixels the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** Returns the text of all that a selector finds. */
export const textsOf = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).allTextContents()

/** Clicks Retry, unless the page has tried again by itself since: the button is then gone. */
export const clickRetry = (page: Page): Promise<void> =>
  page.locator('[data-state=error] button').evaluateAll((buttons) => {
    for (const button of buttons) (button as unknown as { click(): void }).click()
  })
