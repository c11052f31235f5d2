/** Wire forms of wrecks, and of containers adrift. */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { contentsOf } from '../../core/goods.ts'
import { isoTime, tickTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { containerId } from '../cargo/model.ts'
import { JettisonContainer } from '../cargo/state.ts'
import { renderStacks } from '../cargo/views.ts'
import { visibleIdentity } from '../sensing/model.ts'
import { moduleId, moduleTypeOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { poiId, systemId } from '../travel/model.ts'
import { Location, Poi } from '../travel/state.ts'
import type { ReportedDerelict } from './derelict-model.ts'
import { canTow, wreckId, wreckModules, wreckTypeOf } from './model.ts'
import { Wreck } from './state.ts'

export const renderModule = (view: WorldView, module: Row) => {
  const { name, type, type_id } = moduleTypeOf(view, module)
  return { id: moduleId(view, module), name, type, type_id, wear: 0 }
}

/** Renders the texts that are left out where they are empty. */
function renderTexts(view: WorldView, row: Row) {
  const { name, killerId, killerName, policyId } = view.read(Wreck)
  const fields = {
    ship_name: name[row],
    killer_id: killerId[row],
    killer_name: killerName[row],
    insurance_policy_id: policyId[row],
  }
  const texts = Object.entries(fields).map(([field, id]) => [field, view.texts.get(id)] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

/**
 * Renders when something decays, at the current tick length; the time is empty where it never does.
 */
const renderExpiry = (view: WorldView, tick: number) => ({
  expire_tick: tick,
  expires_at: tick === 0 ? '' : tickTime(view, tick),
})

function renderPlace(view: WorldView, poi: Eid, system: Eid) {
  return { poi_id: poi === 0 ? '' : poiId(view, poi), system_id: systemId(view, system) }
}

export function renderWreck(view: WorldView, row: Row) {
  const columns = view.read(Wreck)
  const tug = columns.tug[row]
  const location = view.read(Location)
  const poi = tug === 0 ? columns.poi[row] : location.poi[tug]
  const system = tug === 0 ? view.read(Poi).system[poi] : location.system[tug]
  const type = wreckTypeOf(view, row)
  return {
    id: wreckId(view, row),
    type,
    ...renderPlace(view, poi, system),
    created_at: isoTime(columns.createdMs[row]),
    ...renderExpiry(view, columns.expireTick[row]),
    ship_class: type === 'ship' ? SHIP_CLASSES[columns.class[row]].id : '',
    victim_id: view.texts.get(columns.victimId[row]),
    victim_name: view.texts.get(columns.victimName[row]),
    ...renderTexts(view, row),
    salvage_value: columns.value[row],
    cargo: renderStacks(view, columns.cargo[row]),
    modules: wreckModules(view, row).map((module) => renderModule(view, module)),
    ...(tug !== 0 && {
      towed_by_player_id: visibleIdentity(view, 0, view.read(Ship).owner[tug]).id,
    }),
  }
}

/** Renders a container adrift in the form of a wreck. */
export function renderAdrift(view: WorldView, row: Row) {
  const { poi, createdMs, expireTick, container } = view.read(JettisonContainer)
  return {
    id: containerId(view, row),
    type: 'container',
    ...renderPlace(view, poi[row], view.read(Poi).system[poi[row]]),
    created_at: isoTime(createdMs[row]),
    ...renderExpiry(view, expireTick[row]),
    ship_class: '',
    victim_id: '',
    victim_name: '',
    salvage_value: 0,
    cargo: renderStacks(view, container[row]),
    modules: [],
  }
}

/** Renders a derelict as a yard reports it: where and what it is, and whether `ship` can tow it. */
export function renderReported(view: WorldView, ship: Eid, { wreck, jumps }: ReportedDerelict) {
  const { poi, class: shipClass, value, cargo } = view.read(Wreck)
  return {
    id: wreckId(view, wreck),
    ship_class: SHIP_CLASSES[shipClass[wreck]].id,
    ...renderPlace(view, poi[wreck], view.read(Poi).system[poi[wreck]]),
    jumps,
    salvage_value: value[wreck],
    cargo_count: contentsOf(view, cargo[wreck]).reduce((sum, { units }) => sum + units, 0),
    towable: canTow(view, ship, wreck),
  }
}
