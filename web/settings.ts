/** The reader's settings: the only data that the page stores in the browser. */
import { signal } from '@preact/signals'

type Setting = 'theme' | 'keys'

const nameOf = (setting: Setting): string => `orrery.${setting}`

/** Returns a setting; undefined if none was chosen or the browser stores nothing. */
export function readSetting(setting: Setting): string | undefined {
  try {
    return localStorage.getItem(nameOf(setting)) ?? undefined
  } catch {
    return undefined
  }
}

export function writeSetting(setting: Setting, value: string): void {
  try {
    localStorage.setItem(nameOf(setting), value)
  } catch {
    // Without storage the setting lasts until the page is closed.
  }
}

export type Theme = 'dark' | 'light'

const prefersLight = matchMedia('(prefers-color-scheme: light)')
const chosen = signal(readSetting('theme'))
const systemTheme = signal<Theme>(prefersLight.matches ? 'light' : 'dark')

export const theme = signal<Theme>('dark')

export function switchTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark'
  writeSetting('theme', chosen.value)
}

/** True while the reader prefers reduced motion. */
export const isCalm = signal(false)

export function startSettings(): void {
  prefersLight.addEventListener('change', ({ matches }) => {
    systemTheme.value = matches ? 'light' : 'dark'
  })
  const calm = matchMedia('(prefers-reduced-motion: reduce)')
  isCalm.value = calm.matches
  calm.addEventListener('change', ({ matches }) => {
    isCalm.value = matches
  })
  const apply = () => {
    const wanted = chosen.value
    theme.value = wanted === 'light' || wanted === 'dark' ? wanted : systemTheme.value
    document.documentElement.dataset.theme = theme.value
  }
  chosen.subscribe(apply)
  systemTheme.subscribe(apply)
}
