/**
 * Ships that nobody but the server flies: what they are, where they are at home, what they are
 * about to do. A row here and its ship come and go together; `Helm` leads from the ship to it. The
 * figures of a kind stand in the catalogue.
 */
import { defineComponent, defineTable, f64, i8, ref, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { Player } from '../account/columns.ts'
import { Ship } from '../ship/columns.ts'
import { StarSystem } from '../travel/columns.ts'

/**
 * Values of `kind` (append only): what the wire calls it in a battle (PARTICIPANT_KINDS); `npc` is a
 * ship of an empire.
 */
export const NPC_KINDS = ['pirate', 'npc', 'police', 'creature'] as const
export type NpcKind = (typeof NPC_KINDS)[number]

export const Npc = defineTable('npc', ROWS.npcs, {
  ship: ref('ship', 'the hull it flies; its owner is 0'),
  kind: u8('index into NPC_KINDS'),
  type: u8(
    'pirate: index into PIRATES; empire ship: into EMPIRE_NPCS; police: level of its system',
  ),
  system: ref('system', 'home; it never leaves it'),
  next: ref('npc', 'next one at home there'),
  previous: ref('npc', 'previous one'),
  prey: f64('durable number of the ship it stalks; 0 = none'),
  thinkTick: u32('tick of its next decision outside a battle'),
})

/** Who flies a ship when no player does. */
export const Helm = defineComponent(Ship, 'helm', {
  npc: ref('npc', '0 when no NPC flies it'),
})

export const Haunt = defineComponent(StarSystem, 'haunt', {
  firstNpc: ref('npc', 'head of the list of NPCs at home here'),
  crew: u8('whose it is: index into CREWS', { derived: true }),
  bossTick: u32('first tick in which its stronghold may have a boss again'),
  radioTick: u32('last tick in which the crew was on the radio here; 0 = never'),
})

/** Room for crews in the columns by CREWS. */
export const CREWS_WIDTH = 8

/** What crews think of a player. */
export const Outlaw = defineComponent(Player, 'outlaw', {
  standing: i8('with each of CREWS, -100…100', { width: CREWS_WIDTH }),
})

/** What a player got from the bounty faucet. */
export const Hunter = defineComponent(Player, 'hunter', {
  dayStartTick: u32('first tick of the day that the sum counts'),
  bountyCredits: u32('paid in that day, credits'),
})
