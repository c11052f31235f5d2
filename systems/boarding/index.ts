/** Boarding: capturing ships with marines. */
import type { DomainDef } from '../../core/registry.ts'
import { shipCaptured } from './schemas.ts'
import { BattleBoarding, Boarding, LINKS_OF, Link } from './state.ts'
import { assault, boardingsHold, closing, settle } from './systems.ts'

export const boardingDomain: DomainDef = {
  name: 'boarding',
  tables: [Link, Boarding, BattleBoarding],
  relations: [LINKS_OF],
  events: [shipCaptured],
  systems: [closing, assault, settle],
  checks: [boardingsHold],
}
