/** Invariants of NPCs. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import { Ship } from '../ship/columns.ts'
import { Location, StarSystem } from '../travel/columns.ts'
import { Helm, Npc } from './columns.ts'
import { npcsOf } from './rules.ts'

/** A handful of reads an NPC: every NPC. */
export const npcsFly: CheckDef = {
  name: 'NPCs: each flies one ship without an owner, in its home system, and stands in one list',
  run(view, full) {
    if (!full) return
    const row = view.read(Npc)
    const { owner, alive } = view.read(Ship)
    const { npc: helm } = view.read(Helm)
    const { system } = view.read(Location)
    let listed = 0
    for (let home = 1; home <= view.highOf(StarSystem); home++) {
      for (const npc of npcsOf(view, home)) {
        const ship = row.ship[npc]
        if (row.system[npc] !== home) assert(false, `NPC ${npc} is listed in a strange system`)
        if (alive[ship] === 0 || helm[ship] !== npc) assert(false, `NPC ${npc} flies no ship`)
        if (owner[ship] !== 0) assert(false, `NPC ${npc} flies the ship of a player`)
        if (system[ship] !== home) assert(false, `NPC ${npc} is away from home`)
        listed++
      }
    }
    assert(listed === view.countOf(Npc), 'an NPC stands in no list')
  },
}
