/** The player logged in at the console of this tab; a small file, since other views load it too. */
import { signal } from '@preact/signals'

export const me = signal<string | undefined>(undefined)
