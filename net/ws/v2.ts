/**
 * Frames WebSocket v2: a request is `{tool, action, payload?, request_id?}`, a success is a `result`
 * with text and structuredContent. Source: interface, WebSocket v1 and v2.
 */
import { invalidFields } from '../../core/errors.ts'
import { findV2, isFailure } from '../addresses.ts'
import { helpDef, toolHelp } from '../help.ts'
import { resultText } from '../publish/frames.ts'
import { isObject } from '../validate.ts'
import type { WsFraming } from './frames.ts'

const bad = (field: string, expected: string) => invalidFields({ field, expected })

export const WS_V2: WsFraming = {
  framing: 'ws2',
  keepsOrder: false,
  address: (net, frame) => {
    const { tool, action, payload } = frame
    if (typeof tool !== 'string') return bad('tool', 'string')
    if (action !== undefined && typeof action !== 'string') return bad('action', 'string')
    const isHelp = action === 'help'
    const target = isHelp ? helpDef(net.registry) : findV2(net.addresses, tool, action ?? '')
    if (isFailure(target)) return target
    if (payload !== undefined && payload !== null && !isObject(payload))
      return bad('payload', 'object')
    const params = payload ?? {}
    if (!isHelp) return { def: target, params }
    return { def: target, params, answer: toolHelp(net.registry, tool, params) }
  },
  success: (def, payload) => ({
    type: 'result',
    payload: { result: resultText(def, payload), structuredContent: payload },
  }),
  packedSuccess: (_def, { result, words }) => ({
    type: 'result',
    payload: `{"result":${words},"structuredContent":${result}}`,
  }),
}
