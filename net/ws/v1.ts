/**
 * WebSocket v1: frames `{type, payload?, request_id?}`; a success is `ok`. Source: interface,
 * WebSocket v1 and v2.
 */
import { invalidFields } from '../../core/errors.ts'
import { findV1, isFailure } from '../addresses.ts'
import { packedV1Result } from '../publish/frames.ts'
import { payloadParams, type WsFraming } from './frames.ts'

export const WS_V1: WsFraming = {
  framing: 'ws1',
  answersInOrder: true,
  address: (net, frame) => {
    const { type } = frame
    if (typeof type !== 'string') return invalidFields({ field: 'type', expected: 'string' })
    const def = findV1(net.addresses, type)
    if (isFailure(def)) return def
    const params = payloadParams(frame)
    return params.ok ? { def, params: params.result } : params
  },
  success: (_def, payload) => ({ type: 'ok', payload }),
  packedSuccess: (def, packed) => ({ type: 'ok', payload: packedV1Result(def, packed) }),
}
