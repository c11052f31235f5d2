/** Licences: what lets a faction build hulls of empires. Source: crafting.md section 8. */
import { EMPIRES, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import { obj, ref, str, words } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { empireTreasury } from '../base/model.ts'
import { factionOf, needPermission, recordFactionLog, treasuryOf } from '../faction/model.ts'
import { keyOf, licensesOf, ROYALTY_PCT } from './model.ts'
import { licenseSchema } from './schemas.ts'
import { LICENSES } from './state.ts'
import { findBuildable } from './views.ts'

/** Credits by tier. Source: crafting.md section 8. */
const COST = [0, 1_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000] as const

const HINT =
  'Stations of your faction may build it; each hull then owes the empire a tenth of its materials.'

/** A faction ends: nobody holds its licences. */
export const dropLicenses = (world: World, faction: Row): void => {
  world.records(LICENSES).delete(keyOf(world, faction))
}

/** Refusals: already_licensed, limit_reached, faction_no_credits, amount_too_large. */
function refusal(view: WorldView, faction: Row, shipClass: number) {
  const { id, faction: of, tier } = SHIP_CLASSES[shipClass]
  if (of === '') {
    return fail('already_licensed', undefined, 'An open design needs no licence.')
  }
  const held = licensesOf(view, faction)
  if (held.includes(id)) return fail('already_licensed')
  const isFull = held.length === 0 && view.records(LICENSES).size >= LICENSES.rowsMax
  if (isFull) return fail('limit_reached')
  const have = balanceOf(view, treasuryOf(view, faction))
  if (have < COST[tier]) return fail('faction_no_credits', { need: COST[tier], have })
  const empire = EMPIRES.findIndex((row) => row.id === of)
  const fits = canReceive(view, empireTreasury(view, empire), COST[tier])
  return fits ? undefined : fail('amount_too_large')
}

/** Pays for a licence and notes it. */
function license(world: World, faction: Row, shipClass: number): number {
  const { id, faction: of, tier } = SHIP_CLASSES[shipClass]
  const empire = EMPIRES.findIndex((row) => row.id === of)
  post(world, treasuryOf(world, faction), empireTreasury(world, empire), COST[tier])
  const held = licensesOf(world, faction)
  world.records(LICENSES).set(keyOf(world, faction), [...held, id])
  return COST[tier]
}

export const buyShipLicense = mutation({
  name: 'buy_ship_license',
  v2: { tool: 'game_facility', action: 'buy_ship_license' },
  summary: 'Have the treasury of your faction pay for the right to build a class of an empire.',
  category: 'shipyard',
  order: 'plain',
  params: obj({
    ship_class: ref(
      'ship_class',
      str('Id or name of a ship class of an empire.', { min: 1, example: 'footnote' }),
    ),
  }),
  result: licenseSchema,
  needs: [needPermission('manage_treasury')],
  changes: ['player'],
  errors: words('unknown_class already_licensed limit_reached faction_no_credits amount_too_large'),
  run(world, player, { ship_class }) {
    const found = findBuildable(ship_class)
    if (!found.ok) return found
    const { id, name, faction: empire } = SHIP_CLASSES[found.result]
    const faction = factionOf(world, player)
    const refused = refusal(world, faction, found.result)
    if (refused) return refused
    const cost = license(world, faction, found.result)
    const summary = `Bought the licence to build ${name} for ${counted(cost, 'credit')}.`
    const data = { ship_class: id, credits: cost }
    recordFactionLog(world, faction, player, { verb: 'ship_license', summary, data })
    return ok({
      empire,
      ship_class: id,
      ship_name: name,
      cost_paid: cost,
      royalty_percent: ROYALTY_PCT,
      faction_credits_left: balanceOf(world, treasuryOf(world, faction)),
      hint: HINT,
    })
  },
})
