/**
 * Real Chromium for tests of the page, from PATH or CHROMIUM. Without one the tests print a
 * warning and test nothing; with CI set they fail.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** Longer than anything but a bug needs, even on a busy machine. */
const PATIENCE_MS = 15_000

/** One process for all pages of a profile: one for each page would cost more than the tests. */
const FLAGS = ['--no-sandbox', '--renderer-process-limit=1']

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  if (CHROMIUM) return CHROMIUM
  const folders = PATH.split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

export interface Visit {
  readonly page: Page
  /** Errors of the console, of scripts, and of the content policy. */
  readonly errors: string[]
  /** Requests to other origins. */
  readonly foreign: string[]
}

/** A profile of the browser, kept from test to test, with a blank page that keeps its process. */
interface Profile {
  readonly key: string
  readonly context: BrowserContext
  readonly blank: Page
  isTaken: boolean
}

/** Closes what a test opened in a profile, and clears what its pages stored. */
async function clearProfile(profile: Profile): Promise<void> {
  const { context, blank } = profile
  for (const page of context.pages()) {
    if (page === blank) continue
    await page.evaluate('localStorage.clear()').catch(() => undefined)
    await page.close()
  }
  await context.clearCookies()
  profile.isTaken = false
}

interface Visitor {
  /** Opens an address in a window and a profile of its own. */
  visit(url: string, options?: BrowserContextOptions): Promise<Visit>
  /** Opens another tab in the window of a visit. */
  openTab(visit: Visit, url: string): Promise<Visit>
}

function watch(page: Page, origin: string): Visit {
  const errors: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => {
    // An unsuccessful status is reported by the network, not by the page.
    if (message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text()))
      errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => {
    const url = request.url()
    if (/^https?:/.test(url) && new URL(url).origin !== origin) foreign.push(url)
  })
  return { page, errors, foreign }
}

/** Describes tests that drive a browser; every page that they open must end without an error. */
export function describeInBrowser(title: string, body: (visitor: Visitor) => void): void {
  const program = findChromium()
  describe(title, () => {
    if (!program) {
      test('has a browser', () => {
        process.stderr.write(`\n*** NOT TESTED, no chromium: ${title} ***\n\n`)
        expect(process.env.CI, 'CI is set: install chromium').toBeUndefined()
      })
      return
    }
    let browser: Browser
    let visits: Visit[] = []
    const profiles: Profile[] = []
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: program, args: FLAGS })
    })
    afterAll(async () => {
      const errors = visits.flatMap((visit) => visit.errors)
      const foreign = visits.flatMap((visit) => visit.foreign)
      visits = []
      await browser?.close()
      expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
    })
    afterEach(async () => {
      for (const profile of profiles) if (profile.isTaken) await clearProfile(profile)
    })
    const takeProfile = async (options: BrowserContextOptions): Promise<BrowserContext> => {
      const key = JSON.stringify(options)
      let profile = profiles.find((known) => known.key === key && !known.isTaken)
      if (!profile) {
        const context = await browser.newContext(options)
        context.setDefaultTimeout(PATIENCE_MS)
        profile = { key, context, blank: await context.newPage(), isTaken: true }
        profiles.push(profile)
      }
      profile.isTaken = true
      return profile.context
    }
    const open = async (page: Page, url: string): Promise<Visit> => {
      const visit = watch(page, new URL(url).origin)
      visits.push(visit)
      await page.goto(url)
      // The page handles keys once its header is there.
      if (!url.endsWith('.svg')) await page.locator('header.top').waitFor()
      return visit
    }
    body({
      visit: async (url, options) => {
        const context = await takeProfile({ viewport: { width: 1280, height: 800 }, ...options })
        return open(await context.newPage(), url)
      },
      openTab: async ({ page }, url) => open(await page.context().newPage(), url),
    })
  })
}
