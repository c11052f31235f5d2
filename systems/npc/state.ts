/**
 * Ships that the server flies: what they are, their home system, and what they will do next. A row
 * of `Npc` is made and freed with its ship; `NpcPilot` leads from the ship to the row. The stats of
 * each kind are in the catalogue.
 */
import { defineComponent, defineTable, f64, i8, ref, u8, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { bools, ints, obj, opt, strings } from '../../core/params.ts'
import { relation } from '../../core/relation.ts'
import type { Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'
import { Ship } from '../ship/state.ts'
import { StarSystem } from '../travel/state.ts'

/**
 * Values of `kind` (append only), under the names that PARTICIPANT_KINDS gives them; `npc` is a
 * ship of an empire.
 */
export const NPC_KINDS = ['pirate', 'npc', 'police', 'creature'] as const
export type NpcKind = (typeof NPC_KINDS)[number]

/** An NPC, which is the pilot of a ship without an owner. */
export const Npc = defineTable('npc', ROWS.npcs, {
  ship: ref('ship', 'the hull it flies; its owner is 0'),
  kind: u8('index into NPC_KINDS'),
  type: u8(
    'pirate: index into PIRATES; empire ship: into EMPIRE_NPCS; police: level of its system',
  ),
  system: ref('system', 'home, which it never leaves; in a convoy: where it is, or last was'),
  next: ref('npc', 'next NPC at home in the same system'),
  previous: ref('npc', 'previous NPC at home in the same system'),
  prey: f64('durable number of the ship it stalks; 0 = none'),
  thinkTick: u32('tick of its next decision outside a battle'),
  guestUntil: u32('prowler: tick in which it leaves; 0 = no prowler'),
  call: f64('durable number of the battle it is called to; 0 = none'),
  convoy: ref('convoy', 'the convoy that its ship belongs to; 0 = none'),
})

/** The NPC that flies a ship. */
export const NpcPilot = defineComponent(Ship, 'helm', {
  npc: ref('npc', '0 when no NPC flies it'),
})

/** The NPCs of a star system, and the crew that holds it. */
export const SystemNpcs = defineComponent(StarSystem, 'haunt', {
  firstNpc: ref('npc', 'head of the list of NPCs at home here'),
  crew: u8('crew that holds the system: index into CREWS', { derived: true }),
  bossTick: u32('first tick in which its stronghold may have a boss again'),
  radioTick: u32('last tick in which the crew was on the radio here; 0 = never'),
})

/** Slots for crews in columns that have one value per crew. */
export const CREWS_WIDTH = 8

/** Standing of a player with the crews. */
export const Outlaw = defineComponent(Player, 'outlaw', {
  standing: i8('standing with each of CREWS, -100…100', { width: CREWS_WIDTH }),
})

/** Bounty paid to a player today. */
export const Hunter = defineComponent(Player, 'hunter', {
  dayStartTick: u32('first tick of the day that bountyCredits belongs to'),
  bountyCredits: u32('bounty paid on that day, credits'),
})

/** How many radio messages were sent in the tick of the latest one. Not saved. */
export const AIR_TIME = defineIndex('npc.radio', () => ({ tick: -1, count: 0 }))

/** NPCs by the tick of their next decision. Derived from `thinkTick`. */
export const THINK_WHEEL = defineIndex('npc.thinking', () => new Map<number, Row[]>())

/** NPCs at home in a system, newest first. */
export const NPCS_OF = relation('NPCs of a system', {
  many: Npc,
  via: 'system',
  next: 'next',
  previous: 'previous',
  one: SystemNpcs,
  head: 'firstNpc',
  order: 'latest-first',
})

/*
 * Wire shapes. They are here because state files of other domains use them. Source: contract,
 * PirateInfo, EmpireNPCInfo.
 */

export const pirateSchema = obj({
  ...strings('name', 'pirate_id', 'status', 'tier'),
  ...bools('is_boss'),
  ...opt(ints('hull', 'max_hull', 'shield', 'max_shield')),
  ...opt(strings('faction_key', 'faction_name', 'primary_color', 'secondary_color')),
})

export const empireNpcSchema = obj({
  ...strings('empire', 'name', 'npc_id', 'role'),
  ...bools('in_combat'),
  ...opt(strings('fleet_name', 'ship_class', 'ship_name')),
})
