/** What operators have put right that must not be put right again. */
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'

/** Characters of the reason that every correction names. */
export const REASON_CHARACTERS_MAX = 500
/** Credits or units in one correction, either way. */
export const CORRECTION_UNITS_MAX = 1_000_000_000_000
/** Modules of a ship that is given back. */
export const MODULES_MAX = 64

/** Number of the ship given back, by the number of the one that was lost. */
export const RESTORED_SHIPS = defineRecords<number>('restored_ships', ROWS.ships, { isRare: true })
