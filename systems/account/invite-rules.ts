/**
 * Open invitations of players into groups (factions, fleets): kept in the order of their making,
 * found by who is asked and by the group that asks.
 */
import { addKey, type KeySets, removeKey } from '../../core/key-sets.ts'
import type { RecordsDef } from '../../core/records.ts'
import type { World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Numbers here are durable numbers of players and groups. */
export interface Invitation {
  readonly player: number
  readonly expiresTick: number
}

export interface InviteBook<I extends Invitation> {
  of(view: WorldView, group: number, player: number): I | undefined
  /** Those a player has, the oldest first. */
  to(view: WorldView, player: number): I[]
  /** Those a group has made, the oldest first. */
  from(view: WorldView, group: number): I[]
  /** Enters one, in place of one of the same group that waits. */
  open(world: World, invite: I): void
  drop(world: World, invite: I): void
  /** Drops what has lapsed. O(invitations dropped). */
  expire(world: World): void
  /** Fills the index from the records. */
  rebuild(world: World): void
}

/** `name` is that of its index; `groupOf` the number of the group that asks. */
export function inviteBook<I extends Invitation>(
  name: string,
  records: RecordsDef<I>,
  groupOf: (invite: I) => number,
): InviteBook<I> {
  const OPEN = defineIndex(name, () => ({
    incoming: new Map() as KeySets,
    outgoing: new Map() as KeySets,
  }))
  const keyOf = (group: number, player: number): string => `${group}:${player}`
  const listed = (view: WorldView, keys: ReadonlySet<string> | undefined): I[] =>
    [...(keys ?? [])].flatMap((key) => (view.records(records).get(key) as I | undefined) ?? [])
  const enter = (world: World, key: string, invite: I): void => {
    const { incoming, outgoing } = world.index(OPEN)
    addKey(incoming, invite.player, key)
    addKey(outgoing, groupOf(invite), key)
  }
  const drop = (world: World, invite: I): void => {
    const key = keyOf(groupOf(invite), invite.player)
    world.records(records).delete(key)
    const { incoming, outgoing } = world.index(OPEN)
    removeKey(incoming, invite.player, key)
    removeKey(outgoing, groupOf(invite), key)
  }
  return {
    of: (view, group, player) => view.records(records).get(keyOf(group, player)) as I | undefined,
    to: (view, player) => listed(view, view.index(OPEN).incoming.get(player)),
    from: (view, group) => listed(view, view.index(OPEN).outgoing.get(group)),
    open(world, invite) {
      const key = keyOf(groupOf(invite), invite.player)
      if (world.records(records).has(key)) drop(world, invite)
      world.records(records).set(key, invite)
      enter(world, key, invite)
    },
    drop,
    expire(world) {
      const due: I[] = []
      for (const [, invite] of world.records(records).entries()) {
        if (invite.expiresTick > world.tick) break
        due.push(invite as I)
      }
      for (const invite of due) drop(world, invite)
    },
    rebuild(world) {
      const { incoming, outgoing } = world.index(OPEN)
      incoming.clear()
      outgoing.clear()
      for (const [key, invite] of world.records(records).entries()) enter(world, key, invite as I)
    },
  }
}
