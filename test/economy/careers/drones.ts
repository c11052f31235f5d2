/** Owners of drones: set the rig up once, and give no further command. */
import type { PoiPlan } from '../../../core/catalog/types.ts'
import {
  act,
  type Deed,
  dockAt,
  flyTo,
  type Pilot,
  type Policy,
  readMarket,
  wait,
} from './pilot.ts'

const FOREVER_TICKS = 1_000_000

interface Bay {
  readonly drones: readonly { readonly id: string }[]
}

/** A belt in the system of the home base. */
function beltOf(me: Pilot): PoiPlan | undefined {
  const home = me.chart.systemOf(me.home)
  return me.chart.systems[home].pois.find(
    ({ type, class: kind, hidden }) => type === 'asteroid_belt' && !kind && !hidden,
  )
}

const script = (port: string, belt: string): string =>
  [
    `IF at("${port}")`,
    'IF cargo_pct() > 0 DEPOSIT END',
    `MOVE "${belt}"`,
    'END',
    `IF cargo_full() MOVE "${port}" END`,
    `IF at("${belt}") MINE ELSE MOVE "${belt}" END`,
  ].join('\n')

export const sendDrones: Policy = function* (me): Deed {
  const port = me.chart.ports.get(me.home)
  const belt = beltOf(me)
  readMarket(me)
  if (!port || !belt || !(yield* flyTo(me, belt.id))) return yield* wait(FOREVER_TICKS)
  while ((yield* act(me, 'load_drone', { item_id: 'mining_drone' })).ok) yield* wait(0)
  for (const { id } of me.ask<Bay>('get_drones')?.drones ?? []) {
    const text = script(port.place.id, belt.id)
    yield* act(me, 'upload_drone_script', { drone_id: id, script: text })
  }
  yield* act(me, 'deploy_drone', { all: true })
  // the owner docks, and is away
  yield* dockAt(me, me.home)
  yield* wait(FOREVER_TICKS)
}
