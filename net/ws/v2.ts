/**
 * WebSocket v2: a request is `{tool, action, payload?, request_id?}`, a success is a `result`
 * with text and structuredContent. Source: interface, WebSocket v1 and v2.
 */
import { invalidFields } from '../../core/errors.ts'
import { findV2, isFailure } from '../addresses.ts'
import { helpDef, toolHelp } from '../help.ts'
import { resultText } from '../publish/frames.ts'
import { payloadParams, type WsFraming } from './frames.ts'

const invalidField = (field: string, expected: string) => invalidFields({ field, expected })

export const WS_V2: WsFraming = {
  framing: 'ws2',
  answersInOrder: false,
  address: (net, frame) => {
    const { tool, action } = frame
    if (typeof tool !== 'string') return invalidField('tool', 'string')
    if (action !== undefined && typeof action !== 'string') return invalidField('action', 'string')
    const isHelp = action === 'help'
    const def = isHelp ? helpDef(net.registry) : findV2(net.addresses, tool, action ?? '')
    if (isFailure(def)) return def
    const found = payloadParams(frame)
    if (!found.ok) return found
    const params = found.result
    if (!isHelp) return { def, params }
    return { def, params, answer: toolHelp(net.registry, tool, params) }
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
