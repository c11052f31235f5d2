/** Who is logged in at the console of this tab; small, so that other views can know it too. */
import { signal } from '@preact/signals'

export const me = signal<string | undefined>(undefined)
