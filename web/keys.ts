/**
 * Keys: `g` then a letter goes to a view, `/` searches, `?` lists the keys. A view adds its own
 * while it is mounted. Single keys can be switched off, and are ignored while typing in a field.
 * Source: WEB 4.
 */
import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { readSetting, writeSetting } from './settings.ts'

export interface KeyRow {
  /** The value of `event.key`; with the shift key "shift+ArrowLeft". */
  readonly key: string
  readonly about: string
  readonly run: (event: KeyboardEvent) => void
}

const SEQUENCE_MS = 1_500

/** Keys of the current view, for the list that `?` opens. */
export const viewKeys = signal<readonly KeyRow[]>([])
export const areKeysOn = signal(readSetting('keys') !== 'off')

export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn
  writeSetting('keys', isOn ? 'on' : 'off')
}

const FIELDS = 'input, textarea, select, [contenteditable]'
/** Elements that handle Enter and space themselves. */
const PRESSED = 'a, button, [role=tab], summary'
const PRESSES = new Set(['Enter', ' '])

const isTaken = (event: KeyboardEvent): boolean => {
  const target = event.target as Element
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  if (document.querySelector('dialog[open]')) return true
  return Boolean(target.closest?.(FIELDS) || (PRESSES.has(event.key) && target.closest?.(PRESSED)))
}

const nameOf = ({ key, shiftKey }: KeyboardEvent): string =>
  shiftKey && key.length > 1 ? `shift+${key}` : key

/**
 * Adds keys of a view while its component is mounted. A layout effect, so that they are active as
 * soon as the view is shown.
 */
export function useKeys(rows: readonly KeyRow[]): void {
  useLayoutEffect(() => {
    viewKeys.value = [...viewKeys.peek(), ...rows]
    return () => {
      viewKeys.value = viewKeys.peek().filter((row) => !rows.includes(row))
    }
  }, [rows])
}

interface Shell {
  /** Goes to the view with this letter. */
  goTo(letter: string): void
  readonly keys: readonly KeyRow[]
}

export function startKeys({ goTo, keys }: Shell): void {
  let goUntilMs = 0
  addEventListener('keydown', (event) => {
    if (isTaken(event) || !areKeysOn.value) return
    if (goUntilMs > event.timeStamp) {
      goUntilMs = 0
      event.preventDefault()
      goTo(event.key)
      return
    }
    if (event.key === 'g') {
      goUntilMs = event.timeStamp + SEQUENCE_MS
      return
    }
    const row = [...viewKeys.value, ...keys].find(({ key }) => key === nameOf(event))
    if (!row) return
    event.preventDefault()
    row.run(event)
  })
}
