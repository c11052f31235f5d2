/** The guide to mining. */
import type { GuideRow } from './guide-row.ts'

export const MINER: GuideRow = {
  id: 'miner',
  title: 'Mining',
  description: 'Where ore, ice and gas are, what a pull yields, and why deposits go quiet.',
  content: `# Mining

## What can be pulled where
Go by the type of a place: each deposit belongs to a family, and each family wants its own module.
  asteroid_belt, asteroid      mining laser, strip miner, deep core extractor
  ice_field                    ice harvester
  gas_cloud, nebula            gas harvester
A new ship has mining_laser_i, power 5. {get_poi}, asked while you are at a place, lists its
deposits with richness, remaining and how much of the capacity is gone; from afar you see only
the type of a place.

## What one mine gives
{mine} is a mutation: one pull a tick, of one deposit.
- Which one is chance, weighted by richness. As your mining skill grows, rarer ores weigh more.
- How much: power x (50 + richness) / 100, raised by the mining skill, hull bonuses and a crew
  that is fit. Power 5 on a deposit of richness 60 is five or six units.
- Never more than the deposit can support: a large rig on a thin deposit is capped at
  supported_power.
- Never more than fits the hold. When nothing fits the answer is no_cargo_space.

Mining trains mining, 1 XP a unit and at most 20 a pull, and piloting a little.

## Deposits thin out
A deposit has a capacity and grows back: common ore within a day of ticks (8,640), legendary ore
within twenty. Leaving it alone or nibbling at it every tick makes no difference to what grows
back in total. Below a quarter of its capacity a deposit can become too sparse for strong rigs:
deposit_too_sparse says how much must be there for your power. Weak rigs, up to power 20 with
an ordinary beam, can always finish one.

So: the strongest rig is not the best one everywhere, and a worked-out belt still feeds a
beginner.

## Company
Everyone who mines the same deposit in the same tick shares it fairly; being quicker on the wire
gains nothing. If even a share of one unit is not there, the answer is depleted and
says that others took it: only this pull is lost, other deposits here may be full. Mine
again.

## What to do with it
- Sell to the station: common ore goes for a few credits a unit. The more of it a station holds,
  the less it pays, so two stations are better than one. See {get_guide} trader.
- Signature ores occur in one empire's space only and fetch more the farther you carry them.
- A full locker is a plan: {deposit_items} at any base with storage keeps ore until prices are
  better.
- A unit you cannot use: {jettison} drops it into a container at this place that anyone may empty.

## A loop for a program
  repeat: {mine} until no_cargo_space, or depleted that is not contested
          {travel} to the station; {sell} each kind; {refuel} if below half
          {travel} back
cargo_used and cargo_capacity of {get_ship} show when to turn back before a pull is wasted.`,
}
