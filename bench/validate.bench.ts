/** Checking the parameters of a command against its schema, compared with parsing its frame. */
import { createRegistry } from '../core/registry.ts'
import { createValidators, parseObject, validate } from '../net/validate.ts'
import { DOMAINS } from '../systems/registry.ts'
import { type BenchDef, measure } from './bench.ts'

const TIMES = { tiny: 10, full: 10_000 }
const FRAME = JSON.stringify({
  type: 'buy',
  payload: { item_id: 'iron_ore', quantity: 10 },
  request_id: 'bench-1',
})

export const bench: BenchDef = {
  name: 'validate',
  about:
    'Full size: the parameters of one buy, 10,000 times: JSON.parse of its frame, the same with the bound on ' +
    'nesting (parseObject), and the schema check of dispatch.',
  variants: ['all'],
  lines: [
    { of: 'validate', against: 'JSON.parse' },
    { of: 'parseObject', against: 'JSON.parse' },
  ],
  async run(size) {
    const def = createRegistry(DOMAINS).commands.get('buy')
    if (!def) throw new Error('there is no command buy')
    const validators = createValidators()
    const { payload } = JSON.parse(FRAME) as { payload: Record<string, unknown> }
    let passed = 0
    const medianMs = await measure(size, {
      'JSON.parse': () => {
        for (let i = 0; i < TIMES[size]; i++) passed += JSON.parse(FRAME) ? 1 : 0
      },
      parseObject: () => {
        for (let i = 0; i < TIMES[size]; i++) passed += parseObject(FRAME) ? 1 : 0
      },
      validate: () => {
        for (let i = 0; i < TIMES[size]; i++)
          passed += validate(validators, def, payload, false).ok ? 1 : 0
      },
    })
    return {
      medianMs,
      rows: TIMES[size],
      hash: passed % TIMES[size] === 0 ? 'all pass' : 'some fail',
    }
  },
}
