/** The player logged in at the console of this tab; a small file, since other views load it too. */
import { signal } from '@preact/signals'

/** The name of the player at the console; undefined while logged out. */
export const me = signal<string | undefined>(undefined)
