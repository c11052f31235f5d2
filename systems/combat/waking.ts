/**
 * Waking up at home in another ship: who lost his own, and who rode in it. Source: combat.md
 * section 16.
 */
import { EMPIRES, itemIndex, STARTER, shipClassIndex } from '../../core/catalog/index.ts'
import { fail } from '../../core/errors.ts'
import { answerLater, pendingOf, takeBack } from '../../core/pending.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { capitalOf } from '../base/rules.ts'
import { replaceIssue } from '../fitting/rules.ts'
import { endRide, ridersOf } from '../fleet/ride-rules.ts'
import { fleetOf, tellFleet } from '../fleet/rules.ts'
import { createShip } from '../ship/rules.ts'
import { dockShip, refusesDocking } from '../travel/rules.ts'
import { forgetPilotless } from './pilotless.ts'

/** The home base if it takes the player in, else the capital of the origin. */
function wakingBase(view: WorldView, player: Eid, isPaid: boolean): Eid {
  const { homeBase, empire } = view.read(Player)
  const home = homeBase[player]
  if (isPaid && home !== 0 && !refusesDocking(view, player, home)) return home
  return capitalOf(view, empire[player])
}

/**
 * Gives a player who has lost the ship another, all issue, docked at home; returns the base. What
 * was pending is dropped: it was for a ship that is gone. The old hull is the caller's to release.
 */
export function wakeAtHome(world: World, player: Eid, isPaid = true): Eid {
  for (const rider of ridersOf(world, player)) loseRide(world, rider)
  endRide(world, player)
  takeBack(world, player)
  forgetPilotless(world, player)
  const owed = pendingOf(world, player)
  // who destroys his own ship is answered by the command itself
  if (owed && owed.command !== 'self_destruct') {
    answerLater(world, player, fail('combat_interrupt'))
  }
  const origin = EMPIRES[world.read(Player).empire[player]].id
  const kit = STARTER.find(({ empire }) => empire === origin) ?? STARTER[0]
  const base = wakingBase(world, player, isPaid)
  replaceIssue(world, player)
  const ship = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(kit.ship_class),
    modules: kit.modules.map(itemIndex),
    issue: true,
  })
  world.write(Player).ship[player] = ship
  dockShip(world, ship, base)
  return base
}

/** A passenger whose carrier is lost wakes at home too; ours: it costs him nothing but the way. */
export function loseRide(world: World, rider: Eid): void {
  const fleet = fleetOf(world, rider)
  wakeAtHome(world, rider)
  if (fleet === 0) return
  const message = 'The ship you rode in goes no further; you wake at home.'
  tellFleet(world, fleet, { event: 'ride_lost', player: rider, message, to: [rider] })
}
