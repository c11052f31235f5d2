/**
 * Every error code once: the sentences a player reads and the HTTP status, part by part. A sentence
 * is complete without details: it names what is missing and the way out. Sources: interface
 * document (Errors), travel.md section 0 and the glossaries of the sheets.
 */
import { FACILITY_ERRORS } from './error-table-facility.ts'
import { FREIGHT_ERRORS } from './error-table-freight.ts'
import { GOODS_ERRORS } from './error-table-goods.ts'
import { PLACE_ERRORS } from './error-table-place.ts'
import { SHIP_ERRORS } from './error-table-ship.ts'
import { SOCIETY_ERRORS } from './error-table-society.ts'
import { WIRE_ERRORS } from './error-table-wire.ts'

export const ERRORS = {
  ...WIRE_ERRORS,
  ...PLACE_ERRORS,
  ...GOODS_ERRORS,
  ...SHIP_ERRORS,
  ...FACILITY_ERRORS,
  ...SOCIETY_ERRORS,
  ...FREIGHT_ERRORS,
} as const
