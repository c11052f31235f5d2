/** Owners of drones: they set the drones to work once, dock, and log off. */
import type { PoiPlan } from '../../../core/catalog/types.ts'
import { act, type Deed, dockAt, flyTo, type Pilot, type Policy, readMarket } from './pilot.ts'

interface Bay {
  readonly drones: readonly { readonly id: string }[]
}

/** Returns a belt in the system of the home base. */
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
  if (!port || !belt || !(yield* flyTo(me, belt.id))) return
  // Loads drones until the bay is full.
  while ((yield* act(me, 'load_drone', { item_id: 'mining_drone' })).ok);
  for (const { id } of me.ask<Bay>('get_drones')?.drones ?? []) {
    const text = script(port.place.id, belt.id)
    yield* act(me, 'upload_drone_script', { drone_id: id, script: text })
  }
  yield* act(me, 'deploy_drone', { all: true })
  yield* dockAt(me, me.home)
}
