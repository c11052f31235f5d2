/** Petitions of players to the rulers of an empire: one an hour to each empire. */
import { assert } from '../../core/assert.ts'
import { EMPIRE_IDS, EMPIRES, empireIndex } from '../../core/catalog/index.ts'
import { immediate } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { PETITION_CHARACTERS_MAX, TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import { divCeil } from '../../core/math.ts'
import { obj, ref, str, strings } from '../../core/params.ts'
import type { CheckDef } from '../../core/registry.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { logAction } from '../log/rules.ts'
import { filePetition } from './rules.ts'
import { PETITIONED } from './state.ts'

const HOUR_MS = 3_600_000

const keyOf = (view: WorldView, player: Eid): string => String(view.read(Player).seq[player])

/** Refuses a second petition to an empire within an hour. Refusal: rate_limited. */
function petitionRefusal(
  view: WorldView,
  player: Eid,
  empire: number,
): Failure<'rate_limited'> | undefined {
  const last = view.records(PETITIONED).get(keyOf(view, player))?.[empire] ?? 0
  const waitMs = last + HOUR_MS - view.wallMs
  // If the clock was set back, the player may write again at once.
  if (last === 0 || waitMs <= 0 || waitMs > HOUR_MS) return undefined
  return fail(
    'rate_limited',
    { wait_seconds: Math.max(1, divCeil(waitMs, 1_000)) },
    `You may petition ${EMPIRES[empire].name} only once an hour; try again later.`,
  )
}

/** Records that the player has petitioned an empire now. */
function recordPetition(world: World, player: Eid, empire: number): void {
  const records = world.records(PETITIONED)
  const before = records.get(keyOf(world, player)) ?? []
  const times = EMPIRES.map((_, i) => (i === empire ? world.wallMs : (before[i] ?? 0)))
  records.set(keyOf(world, player), times)
}

export const petition = immediate({
  name: 'petition',
  v2: {
    tool: 'game_social',
    action: 'petition',
    rename: { empire_id: 'target', message: 'content' },
  },
  summary: 'Write to the rulers of an empire, once an hour; a reply comes as a private message.',
  category: 'social',
  params: obj({
    empire_id: ref(
      'empire',
      str(`One of ${EMPIRE_IDS.join(', ')}.`, { min: 1, max: 64, example: 'solarian' }),
    ),
    message: str(`The petition, at most ${PETITION_CHARACTERS_MAX} characters.`, {
      max: TEXT_CHARACTERS_MAX,
      example: 'The lanes at the rim have had no patrol for a month.',
    }),
  }),
  result: obj(strings('empire_id', 'empire_name', 'message')),
  needs: [],
  errors: ['invalid_empire', 'invalid_payload', 'too_long', 'rate_limited'],
  run(world, player, params) {
    const empire = empireIndex(params.empire_id.trim().toLowerCase())
    if (empire < 0) return fail('invalid_empire', { empire_id: params.empire_id })
    const text = cleanText(params.message, {
      max: PETITION_CHARACTERS_MAX,
      unit: 'codepoints',
      field: 'message',
    })
    if (!text.ok) return text
    const refusal = petitionRefusal(world, player, empire)
    if (refusal) return refusal
    const { id, name } = EMPIRES[empire]
    recordPetition(world, player, empire)
    filePetition(world, player, empire, 'petition', text.result)
    logAction(world, player, 'other', 'petition', `Petitioned ${name}.`, { empire_id: id })
    return ok({ empire_id: id, empire_name: name, message: `Your petition was sent to ${name}.` })
  },
})

/** Checks that each record has one time for each empire. */
export const petitionsHold: CheckDef = {
  name: 'petitions: one time for each empire',
  run(view, full) {
    if (!full) return
    for (const [player, times] of view.records(PETITIONED).entries()) {
      assert(
        times.length === EMPIRES.length,
        `player ${player} has ${times.length} times of petitions`,
      )
    }
  },
}
