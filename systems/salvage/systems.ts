/** What time does to wrecks and lines. Source: salvage.md sections 1, 4, 9. */
import { Container, Stack } from '../../core/goods.ts'
import type { SystemDef } from '../../core/system.ts'
import { Cover, Policy } from '../insurance/columns.ts'
import { Module, Ship } from '../ship/columns.ts'
import { Location } from '../travel/columns.ts'
import { Tow, Wreck } from './columns.ts'
import { dropAbandoned } from './tow.ts'
import { expireWrecks } from './wrecks.ts'

export const abandon: SystemDef = {
  name: 'salvage.abandon',
  phase: 'arrive',
  reads: [],
  writes: [Tow, Wreck, Ship, Module, Location, Policy, Cover, Container, Stack],
  run: dropAbandoned,
}

export const decay: SystemDef = {
  name: 'salvage.decay',
  phase: 'produce',
  reads: [],
  writes: [Wreck, Module, Container, Stack],
  run: expireWrecks,
}
