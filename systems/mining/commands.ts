/**
 * The command to mine: it adds a request, which the kernel processes at the end of phase act.
 * Source: mining.md sections 3, 8.
 */
import { LATER, mutation } from '../../core/command.ts'
import { fail } from '../../core/errors.ts'
import { NO_PARAMS, words } from '../../core/params.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { setCloak } from '../sensing/rules.ts'
import { FAMILIES, type Family, Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { poiOf, shipOf } from '../travel/location-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { Poi } from '../travel/state.ts'
import { depositsOf } from './model.ts'
import { mineResult } from './schemas.ts'
import { Deposit, MineRequest } from './state.ts'

export const mine = mutation({
  name: 'mine',
  v2: { tool: 'game', action: 'mine' },
  summary: 'Extract goods at your location into the hold, with the modules fitted.',
  category: 'mining',
  order: 'request',
  params: NO_PARAMS,
  result: mineResult,
  needs: [UNDOCKED],
  changes: ['ship', 'cargo', 'queue', 'skills', 'missions'],
  errors: words(
    'in_transit not_at_asteroid no_deep_core_access no_mining_equipment no_resources depleted',
    'deposit_too_sparse no_cargo_space',
  ),
  run(world, player) {
    const ship = shipOf(world, player)
    const poi = poiOf(world, player)
    const refusal = miningRefusal(world, ship, poi)
    if (refusal) return refusal
    setCloak(world, player, false)
    addRequest(world, player, ship, poi)
    return LATER
  },
})

/** Refuses wrong places, then missing equipment; the kernel checks amounts. Source: mining.md 8. */
function miningRefusal(view: WorldView, ship: Eid, poi: Eid) {
  const families = familiesAt(view, poi)
  if (families.length === 0) return fail('not_at_asteroid')
  const { deepCore, minePower } = view.read(Ship)
  const isDeepCore = view.texts.get(view.read(Poi).class[poi]) === 'deep_core'
  if (isDeepCore && deepCore[ship] === 0) return fail('no_deep_core_access')
  const fitted = FAMILIES.filter((_, index) => minePower[ship * FAMILIES.length + index] > 0)
  if (fitted.length === 0) return fail('no_mining_equipment', { required: families })
  if (families.some((family) => fitted.includes(family))) return undefined
  return fail('no_resources', { required: families, fitted })
}

/** Lists the families of mining equipment that could extract something at a place. */
function familiesAt(view: WorldView, poi: Eid): Family[] {
  const { family } = view.read(Deposit)
  const rows = depositsOf(view, poi)
  return FAMILIES.filter((_, index) => rows.some((row) => family[row] === index))
}

function addRequest(world: World, player: Eid, ship: Eid, poi: Eid): void {
  const row = world.take(MineRequest)
  const columns = world.write(MineRequest)
  const { cargoCap, cargoUsed } = world.read(Ship)
  columns.player[row] = player
  columns.ship[row] = ship
  columns.poi[row] = poi
  columns.miningLevel[row] = levelOf(world, player, 'mining')
  columns.deepLevel[row] = levelOf(world, player, 'deep_core_mining')
  columns.attunementPct[row] = levelOf(world, player, 'nebula_attunement')
  columns.freeSpace[row] = cargoCap[ship] - cargoUsed[ship]
}
