/** What prizes do by themselves: fly home, and fall apart when nobody claims them. */
import { Container, Stack } from '../../core/goods.ts'
import type { SystemDef } from '../../core/system.ts'
import { Base } from '../base/columns.ts'
import { Fighting } from '../combat/columns.ts'
import { Wreck } from '../salvage/columns.ts'
import { Module, Ship } from '../ship/columns.ts'
import { Location } from '../travel/columns.ts'
import { Flotilla, Prize } from './columns.ts'
import { travelHome } from './journey.ts'
import { expirePrizes } from './taking.ts'

/** Prizes nobody claimed in time. Source: combat.md section 11. */
export const expire: SystemDef = {
  name: 'prize.expire',
  phase: 'arrive',
  reads: [Fighting],
  writes: [Prize, Flotilla, Ship, Module, Wreck, Location, Container, Stack],
  run: expirePrizes,
}

/** The next hop of those who rest. Source: travel.md section 0, phase G. */
export const journey: SystemDef = {
  name: 'prize.journey',
  phase: 'decide',
  reads: [Fighting, Base],
  writes: [Prize, Flotilla, Ship, Module, Location, Container, Stack],
  run: travelHome,
}
