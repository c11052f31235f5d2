/** `hunt`: a fight with one creature, into which nothing else is drawn. */
import { mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { bools, choice, ints, obj, opt, str, strings, words } from '../../core/params.ts'
import { say, withArticle } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { aggress } from '../combat/engage-rules.ts'
import { battleId } from '../combat/model.ts'
import { IN_SPACE_TO_ATTACK } from '../combat/needs.ts'
import { Participant, RINGS } from '../combat/state.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { logAction } from '../log/rules.ts'
import { shipByName } from '../npc/listing-model.ts'
import { activeShip, shipById, shipId } from '../ship/model.ts'
import { poiOf } from '../travel/location-model.ts'
import { creatureOf, isCreature } from './model.ts'

const huntSchema = obj({
  action: choice('Always hunt.', ['hunt']),
  ...strings('command', 'battle_id', 'target', 'target_name', 'species', 'your_zone', 'message'),
  ...ints('your_side'),
  ...bools('pending'),
  ...opt({ ...strings('warning'), ...bools('auto_docked', 'auto_undocked') }),
})

/** Renders the result of the command for the hunter. */
function huntResult(world: World, row: Row, prey: Eid) {
  const { battle, side, ring, guns } = world.read(Participant)
  const { id, name } = creatureOf(world, prey) ?? { id: '', name: '' }
  return {
    action: 'hunt' as const,
    // The fight is on: the command has nothing left to do.
    command: 'hunt',
    pending: false,
    battle_id: battleId(world, battle[row]),
    target: shipId(world, prey),
    target_name: name,
    species: id,
    your_side: side[row],
    your_zone: RINGS[ring[row]],
    message: `You hunt ${withArticle(name)}.`,
    ...(guns[row] === 0 ? { warning: 'No weapon is fitted to your ship.' } : {}),
  }
}

const isPrey = (view: WorldView, ship: Eid): boolean => ship !== 0 && isCreature(view, ship)

/** Returns the ship that an id names, or a name at the player's place; 0 if there is none. */
const preyMeant = (view: WorldView, player: Eid, id: string): Eid =>
  shipById(view, id) || shipByName(view, poiOf(view, player), id)

/** Opens a hunt on a creature, or joins the one there is. Source: combat.md sections 1, 17. */
export const hunt = mutation({
  name: 'hunt',
  v2: { tool: 'game', action: 'hunt', rename: { target_id: 'id' } },
  summary: 'Hunt a creature of your system: a fight of its own, that draws nobody else in.',
  category: 'combat',
  order: 'attack',
  inBattle: true,
  params: obj({
    target_id: str(say`A creature at your place by id or name, as {get_nearby} lists it.`, {
      min: 1,
    }),
  }),
  result: huntSchema,
  needs: [AT_LIBERTY, IN_SPACE_TO_ATTACK],
  changes: ['player', 'ship', 'cargo', 'location', 'queue', 'skills'],
  errors: words('detained in_transit invalid_target target_cloaked protected limit_reached'),
  judge(view, player, { target_id }) {
    const prey = preyMeant(view, player, target_id)
    return isPrey(view, prey) ? undefined : fail('invalid_target', { target_id })
  },
  run(world, player, { target_id }) {
    const prey = preyMeant(world, player, target_id)
    if (!isPrey(world, prey)) return fail('invalid_target', { target_id })
    const done = aggress(world, activeShip(world, player), prey, { kind: 'hunt', side: 0 })
    if (!done.ok) return done
    const result = huntResult(world, done.result, prey)
    logAction(world, player, 'combat', 'hunt', result.message, { battle_id: result.battle_id })
    return ok(result)
  },
})
