/** Writing to the rulers of an empire: `petition`. */
import { EMPIRE_IDS, EMPIRES, empireIndex } from '../../core/catalog/index.ts'
import { immediate } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { PETITION_CHARACTERS_MAX, TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import { obj, ref, str, strings } from '../../core/params.ts'
import { cleanText } from '../../core/text-rules.ts'
import { logAction } from '../log/rules.ts'
import { petitionRefusal } from './model.ts'
import { filePetition, recordPetition } from './rules.ts'

export const petition = immediate({
  name: 'petition',
  v2: {
    tool: 'game_social',
    action: 'petition',
    rename: { empire_id: 'target', message: 'content' },
  },
  summary: 'Writes to the rulers of an empire, once an hour; a reply comes as a private message.',
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
    const refused = petitionRefusal(world, player, empire)
    if (refused) return refused
    const { id, name } = EMPIRES[empire]
    recordPetition(world, player, empire)
    filePetition(world, player, empire, 'petition', text.result)
    logAction(world, player, 'other', 'petition', `Petitioned ${name}.`, { empire_id: id })
    return ok({ empire_id: id, empire_name: name, message: `Your petition is before ${name}.` })
  },
})
