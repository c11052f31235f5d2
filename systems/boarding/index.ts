/** Boarding: taking ships by hand, and the hulls taken. */
import type { DomainDef } from '../../core/registry.ts'
import { boardingsHold, prizesHold } from './checks.ts'
import { BattleBoarding, Boarding, Link, Prize } from './columns.ts'
import { shipCaptured } from './events.ts'
import { rebuildPrizes } from './holdings.ts'
import { assault, closing, expiry, settle } from './systems.ts'

export const boardingDomain: DomainDef = {
  name: 'boarding',
  tables: [Link, Boarding, BattleBoarding, Prize],
  events: [shipCaptured],
  systems: [closing, assault, settle, expiry],
  checks: [boardingsHold, prizesHold],
  rebuild: rebuildPrizes,
}
