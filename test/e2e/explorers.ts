/**
 * An explorer page in a DOM: its scripts run and ask the server. Only what a person could do is
 * done: look for labels, type, press.
 */
import { Window } from 'happy-dom'

type Dom = InstanceType<typeof Window>['document']
type Found = NonNullable<ReturnType<Dom['querySelector']>>

const PATIENCE_MS = 30_000
const TURN_MS = 2

interface Explorer {
  readonly window: Window
  readonly document: Dom
  /** The row of a command, opened. */
  open(command: string): Promise<Found>
  /** Fills the field of a label. */
  fill(row: Found, label: string, value: string): void
  /** Presses Send; resolves with the answer as it is shown. `turn` is run while waiting. */
  send(row: Found, turn?: () => Promise<void>): Promise<string>
  press(text: string): void
  /** Types into the field above. */
  find(words: string): void
  /** Commands that are shown. */
  shown(): string[]
  session(): string
  until(isSo: () => boolean, turn?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** In a browser the type of a textarea cannot be assigned; here it could. */
const AS_BROWSERS = `
const assign = Object.assign
Object.assign = (to, ...from) => {
  if (to.tagName === 'TEXTAREA' && from.some((props) => 'type' in props))
    throw new TypeError('the type of a textarea cannot be set')
  return assign(to, ...from)
}`

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function until(isSo: () => boolean, turn?: () => Promise<void>): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!isSo()) {
    if (performance.now() > end) throw new Error('the page does not come to it')
    await turn?.()
    await sleep(TURN_MS)
  }
}

/** The DOM loads nothing by itself. */
export const LOADED = /<script type="module"[^>]*><\/script>|<link[^>]*>/g

const textOf = (element: Found | null): string => element?.textContent ?? ''

/** Loads a page of the server and runs its scripts. */
export async function openExplorer(base: string, path: string): Promise<Explorer> {
  const window = new Window({
    url: base + path,
    settings: {
      enableJavaScriptEvaluation: true,
      // The scripts are our own.
      suppressInsecureJavaScriptEnvironmentWarning: true,
    },
  })
  const { document } = window
  window.eval(AS_BROWSERS)
  const page = await (await fetch(base + path)).text()
  document.write(page.replace(LOADED, ''))
  const [, script] = /src="([^"]+explorer\.js)"/.exec(page) ?? []
  window.eval(await (await fetch(base + script)).text())
  await window.happyDOM.waitUntilComplete()
  const all = (selector: string): Found[] => [...document.querySelectorAll(selector)]
  const inputOf = (row: Found, label: string) => {
    const found = [...row.querySelectorAll('label')].find(
      (one) => textOf(one.querySelector('code')) === label,
    )
    const input = found?.querySelector('input, select, textarea')
    if (!input) throw new Error(`no field is labelled ${label}`)
    return input as unknown as { value: string }
  }
  return {
    window,
    document,
    until,
    async open(command) {
      const row = all('details').find((one) => textOf(one.querySelector('code')) === command)
      if (!row) throw new Error(`no row is called ${command}`)
      const details = row as unknown as { open: boolean }
      details.open = true
      await until(() => row.querySelector('form') !== null)
      return row
    },
    fill(row, label, value) {
      inputOf(row, label).value = value
    },
    async send(row, turn) {
      const out = row.querySelector('pre')
      const button = row.querySelector('button') as unknown as {
        click(): void
        disabled: boolean
      }
      button.click()
      if (!button.disabled) throw new Error('the form was not sent')
      await until(() => !button.disabled, turn)
      return textOf(out)
    },
    press(text) {
      const button = all('button').find((one) => textOf(one) === text)
      ;(button as unknown as { click(): void }).click()
    },
    find(words) {
      const field = document.querySelector('#find')
      if (!field) throw new Error('there is no field to find a command')
      ;(field as unknown as { value: string }).value = words
      field.dispatchEvent(new window.Event('input'))
    },
    shown: () =>
      all('section:not([hidden]) details:not([hidden]) summary code').map((one) => textOf(one)),
    session: () => textOf(document.querySelector('#session')),
    close: () => window.happyDOM.close(),
  }
}
