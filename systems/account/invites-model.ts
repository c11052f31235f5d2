/**
 * Open invitations of players into groups (factions, fleets), the oldest first. They are found by
 * the invited player and by the inviting group.
 */
import { addToSet, removeFromSet } from '../../core/groups.ts'
import type { RecordsDef } from '../../core/records.ts'
import type { World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Players and groups are given by their durable numbers. */
interface Invitation {
  readonly player: number
  readonly expiresTick: number
}

interface InviteBook<I extends Invitation> {
  find(view: WorldView, group: number, player: number): I | undefined
  /** Returns the invitations of a player, oldest first. */
  received(view: WorldView, player: number): I[]
  /** Returns the invitations a group has made, oldest first. */
  sent(view: WorldView, group: number): I[]
  /** Adds an invitation; it replaces an open one of the same group and player. */
  add(world: World, invite: I): void
  remove(world: World, invite: I): void
  /** Removes what has expired. O(invitations removed). */
  expire(world: World): void
  /** Rebuilds the index from the records. */
  rebuild(world: World): void
}

/**
 * Defines a book of invitations over its records. `name` is the name of its index; `groupOf`
 * returns the durable number of the inviting group.
 */
export function inviteBook<I extends Invitation>(
  name: string,
  records: RecordsDef<I>,
  groupOf: (invite: I) => number,
): InviteBook<I> {
  const KEYS = defineIndex(name, () => ({
    byPlayer: new Map<number, Set<string>>(),
    byGroup: new Map<number, Set<string>>(),
  }))
  const keyOf = (group: number, player: number): string => `${group}:${player}`
  const find = (view: WorldView, key: string): I | undefined =>
    view.records(records).get(key) as I | undefined
  const findAll = (view: WorldView, keys: ReadonlySet<string> | undefined): I[] =>
    [...(keys ?? [])].flatMap((key) => find(view, key) ?? [])
  const index = (world: World, key: string, invite: I): void => {
    const { byPlayer, byGroup } = world.index(KEYS)
    addToSet(byPlayer, invite.player, key)
    addToSet(byGroup, groupOf(invite), key)
  }
  const remove = (world: World, invite: I): void => {
    const key = keyOf(groupOf(invite), invite.player)
    world.records(records).delete(key)
    const { byPlayer, byGroup } = world.index(KEYS)
    removeFromSet(byPlayer, invite.player, key)
    removeFromSet(byGroup, groupOf(invite), key)
  }
  return {
    find: (view, group, player) => find(view, keyOf(group, player)),
    received: (view, player) => findAll(view, view.index(KEYS).byPlayer.get(player)),
    sent: (view, group) => findAll(view, view.index(KEYS).byGroup.get(group)),
    add(world, invite) {
      const key = keyOf(groupOf(invite), invite.player)
      if (world.records(records).has(key)) remove(world, invite)
      world.records(records).set(key, invite)
      index(world, key, invite)
    },
    remove,
    expire(world) {
      const expired: I[] = []
      for (const [, invite] of world.records(records).entries()) {
        if (invite.expiresTick > world.tick) break
        expired.push(invite as I)
      }
      for (const invite of expired) remove(world, invite)
    },
    rebuild(world) {
      const { byPlayer, byGroup } = world.index(KEYS)
      byPlayer.clear()
      byGroup.clear()
      for (const [key, invite] of world.records(records).entries()) index(world, key, invite as I)
    },
  }
}
