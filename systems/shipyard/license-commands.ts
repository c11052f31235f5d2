/** Licences, which let a faction build hulls of empires. Source: crafting.md section 8. */
import { EMPIRES, SHIP_CLASSES, type ShipClassRow } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { balanceOf, canReceive, post } from '../../core/ledger.ts'
import { obj, ref, str, words } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { empireTreasury } from '../base/model.ts'
import { factionOf, needPermission, recordFactionLog, treasuryOf } from '../faction/model.ts'
import { findBuildable, licenseKey, licensesOf, ROYALTY_PCT } from './model.ts'
import { licenseSchema } from './schemas.ts'
import { LICENSES } from './state.ts'

/** Cost of a licence in credits, by tier of the class. */
const COST = [0, 1_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000] as const

const HINT =
  'Stations of your faction may build it; each hull then owes the empire a tenth of its materials.'

/** Returns the treasury of the empire that a class belongs to. */
const licensorOf = (view: WorldView, { faction }: ShipClassRow): Row =>
  empireTreasury(
    view,
    EMPIRES.findIndex(({ id }) => id === faction),
  )

/**
 * Refuses a licence. Refusals: already_licensed, limit_reached, faction_no_credits,
 * amount_too_large.
 */
function licenseRefusal(view: WorldView, faction: Row, row: ShipClassRow) {
  if (row.faction === '') {
    return fail('already_licensed', undefined, 'An open design needs no licence.')
  }
  const held = licensesOf(view, faction)
  if (held.includes(row.id)) return fail('already_licensed')
  const isFull = held.length === 0 && view.records(LICENSES).size >= LICENSES.rowsMax
  if (isFull) return fail('limit_reached')
  const need = COST[row.tier]
  const have = balanceOf(view, treasuryOf(view, faction))
  if (have < need) return fail('faction_no_credits', { need, have })
  return canReceive(view, licensorOf(view, row), need) ? undefined : fail('amount_too_large')
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
    const row = SHIP_CLASSES[found.result]
    const { id, name, faction: empire } = row
    const faction = factionOf(world, player)
    const refused = licenseRefusal(world, faction, row)
    if (refused) return refused
    const cost = COST[row.tier]
    post(world, treasuryOf(world, faction), licensorOf(world, row), cost)
    const held = licensesOf(world, faction)
    world.records(LICENSES).set(licenseKey(world, faction), [...held, id])
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
