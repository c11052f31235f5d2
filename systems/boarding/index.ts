/** Boarding: taking ships by hand, and the hulls taken. */
import type { DomainDef } from '../../core/registry.ts'
import { BattleBoarding, Boarding, Link, Prize } from './columns.ts'

export const boardingDomain: DomainDef = {
  name: 'boarding',
  tables: [Link, Boarding, BattleBoarding, Prize],
}
