/** Corrections that must not be made twice, and the bounds of corrections. */
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'

/** Most characters of the reason that every correction names. */
export const REASON_CHARACTERS_MAX = 500
/** Most credits or units in one correction, given or taken back. */
export const CORRECTION_UNITS_MAX = 1_000_000_000_000
/** Most modules of a ship that is given back. */
export const MODULES_MAX = 64

/** Number of the ship given back, by the number of the one that was lost. */
export const RESTORED_SHIPS = defineRecords<number>('restored_ships', ROWS.ships, { isRare: true })
