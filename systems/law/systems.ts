/** What the law does in a tick by itself. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { Account } from '../../core/ledger.ts'
import { clamp } from '../../core/math.ts'
import type { SystemDef } from '../../core/system.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { reputationBaseline, reputationOf } from '../account/rules.ts'
import { Battle, Fighting, Participant } from '../combat/columns.ts'
import { Npc } from '../npc/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Location, StarSystem } from '../travel/columns.ts'
import { CriminalRecord, Jailed, Offence, Warrant } from './columns.ts'
import { lapseOffences } from './crimes.ts'
import { changeReputation, reviewDetention } from './debts.ts'
import { police } from './police.ts'

/** Offences lapse; the detained who can pay, or have served their time, are let go. */
export const review: SystemDef = {
  name: 'law.review',
  phase: 'arrive',
  reads: [Fighting, Participant],
  writes: [CriminalRecord, Offence, Warrant, Player, Account],
  run(world) {
    lapseOffences(world)
    for (const player of world.byId(Player, [Jailed])) reviewDetention(world, player)
  },
}

/** Police after the attacks of the tick: they see who has just become a criminal. */
export const hunt: SystemDef = {
  name: 'law.police',
  phase: 'engage',
  reads: [Player, StarSystem],
  writes: [Warrant, Npc, Ship, Location, Battle, Participant, Fighting],
  run: police,
}

/** Brings the standing of a player with each empire a day nearer to where it tends. */
function fade(world: World, player: Eid): void {
  for (const [empire, { policy }] of EMPIRES.entries()) {
    const away = reputationBaseline(world, player, empire) - reputationOf(world, player, empire)
    const step = clamp(away, -policy.rep_decay_amount, policy.rep_decay_amount)
    if (step !== 0) changeReputation(world, player, empire, step)
  }
}

/** Standing tends to its baseline: every player once a day, a part of them each tick. */
export const forgive: SystemDef = {
  name: 'law.forgive',
  phase: 'produce',
  reads: [],
  writes: [Player, CriminalRecord],
  run(world) {
    const { alive } = world.read(Player)
    const first = DAY_TICKS - (world.tick % DAY_TICKS)
    for (let player = first; player <= world.highOf(Player); player += DAY_TICKS) {
      if (alive[player] === 1) fade(world, player)
    }
  },
}
