/**
 * Opens an explorer page in a DOM where its scripts run and call the server. The functions do only
 * what a person could: find labels, type and press buttons.
 */
import { Window } from 'happy-dom'

type Dom = InstanceType<typeof Window>['document']
type Found = NonNullable<ReturnType<Dom['querySelector']>>

const PATIENCE_MS = 30_000
const TURN_MS = 2

interface Explorer {
  readonly window: Window
  readonly document: Dom
  /** Opens and returns the row of a command. */
  open(command: string): Promise<Found>
  /** Fills the field with this label. */
  fill(row: Found, label: string, value: string): void
  /** Presses Send and resolves with the answer as it is shown; runs `turn` while waiting. */
  send(row: Found, turn?: () => Promise<void>): Promise<string>
  press(text: string): void
  /** Types into the search field. */
  find(words: string): void
  /** Returns the names of the commands that are shown. */
  shown(): string[]
  session(): string
  until(isSo: () => boolean, turn?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Makes assigning the type of a textarea an error, as in a browser; this DOM would allow it. */
const FIXED_TEXTAREA_TYPE = `
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
    if (performance.now() > end) throw new Error('the page did not reach the state in time')
    await turn?.()
    await sleep(TURN_MS)
  }
}

/** Matches the tags that load other files: this DOM loads none by itself. */
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
  window.eval(FIXED_TEXTAREA_TYPE)
  const page = await (await fetch(base + path)).text()
  document.write(page.replace(LOADED, ''))
  const [, script] = /src="([^"]+explorer\.js)"/.exec(page) ?? []
  window.eval(await (await fetch(base + script)).text())
  await window.happyDOM.waitUntilComplete()
  const all = (selector: string): Found[] => [...document.querySelectorAll(selector)]
  const inputOf = (row: Found, label: string) => {
    const found = [...row.querySelectorAll('label')].find(
      (element) => textOf(element.querySelector('code')) === label,
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
      const row = all('details').find(
        (details) => textOf(details.querySelector('code')) === command,
      )
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
      const button = all('button').find((element) => textOf(element) === text)
      ;(button as unknown as { click(): void }).click()
    },
    find(words) {
      const field = document.querySelector('#find')
      if (!field) throw new Error('there is no field to find a command')
      ;(field as unknown as { value: string }).value = words
      field.dispatchEvent(new window.Event('input'))
    },
    shown: () => all('section:not([hidden]) details:not([hidden]) summary code').map(textOf),
    session: () => textOf(document.querySelector('#session')),
    close: () => window.happyDOM.close(),
  }
}
