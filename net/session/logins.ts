/**
 * How logins end: with their client, by a newer one, by a reset of the password, on this node or on
 * another. The world is told what it does not know yet. Source: accounts.md section 6, SCALE 5.
 */
import type { EndedLogins } from '../../core/ports.ts'
import type { Params } from '../validate.ts'
import {
  type Client,
  dropSession,
  recordOccasion,
  type Session,
  type SocketClient,
  unbindClient,
} from './session.ts'
import type { Net } from './types.ts'

/** Names this node to the world; a server that stands alone names none. */
export const nodeParam = ({ node }: Net): Params => (node === undefined ? {} : { node })

export function notifyUnbound(net: Net, client: Client, player: number | undefined): void {
  if (player === undefined) return
  const { channel, framing } = client
  const params = { player, channel, ...nodeParam(net) }
  net.link.submit({ player, command: 'internal:unbind', params, framing }, () => true)
}

/** Forgets a client's login, and notifies the world when it was the last client of its channel. */
export function release(net: Net, client: Client): void {
  notifyUnbound(net, client, unbindClient(net.bindings, client))
}

/** Ends a session that has expired or been replaced, or whose player's password was reset. */
export function endSession(net: Net, session: Session, isReplaced: boolean): void {
  dropSession(net.pools, session, isReplaced)
  release(net, session)
}

/** Ends all sessions and connections of a player, and their logins under way (password reset). */
export function endLogins(net: Net, player: number): void {
  const isBound = net.bindings.players.has(player)
  endLoginsHere(net, player)
  // On another node there may be some.
  if (!isBound && net.node === undefined) return
  const command = { command: 'internal:end_logins', params: { player } }
  net.link.submit({ player, ...command, framing: 'ws2' }, () => true)
}

function endLoginsHere(net: Net, player: number): void {
  recordOccasion(net.bindings.resets, player)
  const bound = net.bindings.players.get(player)
  for (const session of [...(bound?.sessions ?? [])]) {
    dropSession(net.pools, session, true)
    unbindClient(net.bindings, session)
  }
  endSocket(net, bound?.socket)
}

function endSocket(net: Net, socket: SocketClient | undefined): void {
  if (!socket) return
  unbindClient(net.bindings, socket)
  socket.close(4001, 'session_replaced')
}

/** Ends what the world says has ended on another node: it knows already. */
export function endedElsewhere(net: Net, { player, what }: EndedLogins): void {
  if (what === 'all') {
    endLoginsHere(net, player)
    return
  }
  recordOccasion(net.bindings.moves, player)
  endSocket(net, net.bindings.players.get(player)?.socket)
}

/** Binds everybody who is logged in here, whom the leader took for gone with their node. */
export function bindAgain(net: Net): void {
  for (const [player, { socket, sessions }] of net.bindings.players) {
    const clients: Client[] = [...(socket ? [socket] : []), ...sessions]
    const byChannel = new Map(clients.map((client) => [client.channel, client]))
    for (const { channel, framing } of byChannel.values()) {
      const params = { player, channel, ...nodeParam(net) }
      net.link.submit({ player, command: 'internal:bind', params, framing }, () => true)
    }
  }
}
