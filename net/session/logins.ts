/**
 * Ends logins: with their client, by a newer login, by a password reset, on this node or on
 * another. The world is notified of what it does not know yet. Source: accounts.md section 6, SCALE
 * 5.
 */
import type { EndedLogins } from '../../core/ports.ts'
import type { Params } from '../validate.ts'
import {
  type Client,
  dropSession,
  isBoundOn,
  recordPlayerEvent,
  type Session,
  type SocketClient,
  unbindClient,
} from './session.ts'
import type { Net } from './types.ts'

/** Returns the parameter that names this node to the world; empty for a single server. */
export const nodeParam = ({ node }: Net): Params => (node === undefined ? {} : { node })

/** Notifies the world that a player is no longer bound on a channel. */
export function notifyUnbound(net: Net, client: Client, player: number | undefined): void {
  if (player === undefined) return
  const { channel, framing } = client
  const params = { player, channel, ...nodeParam(net) }
  net.link.submit({ player, command: 'internal:unbind', params, framing }, () => true)
}

/**
 * Removes the login of a client, and notifies the world if it was the last client of its channel.
 */
export function release(net: Net, client: Client): void {
  notifyUnbound(net, client, unbindClient(net.bindings, client))
}

/** Ends a session that has expired or been replaced, or whose player's password was reset. */
export function endSession(net: Net, session: Session, isReplaced: boolean): void {
  dropSession(net.pools, session, isReplaced)
  release(net, session)
}

/**
 * Ends all sessions, connections and pending logins of a player (password reset). In a cluster it
 * resolves once the journal has the command that makes the other nodes end theirs.
 */
export async function endLogins(net: Net, player: number): Promise<void> {
  const isAlone = net.node === undefined
  const isBound = net.bindings.players.has(player)
  endLoginsHere(net, player)
  // In a cluster the player may have logins on another node.
  if (!isBound && isAlone) return
  const command = { command: 'internal:end_logins', params: { player } }
  await new Promise<void>((resolve) => {
    net.link.submit({ player, ...command, framing: 'ws2' }, () => {
      resolve()
      return true
    })
    if (isAlone) resolve()
  })
}

function endLoginsHere(net: Net, player: number): void {
  recordPlayerEvent(net.bindings.resets, player)
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

/** Ends logins here that another node has ended; the world knows already. */
export function endedElsewhere(net: Net, { player, what }: EndedLogins): void {
  if (what === 'all') {
    endLoginsHere(net, player)
    return
  }
  recordPlayerEvent(net.bindings.moves, player)
  endSocket(net, net.bindings.players.get(player)?.socket)
}

/**
 * Binds all players who are logged in here again, after the leader had assumed that this node was
 * gone.
 */
export function bindAgain(net: Net): void {
  for (const [player, { socket, sessions }] of net.bindings.players) {
    const clients: Client[] = [...(socket ? [socket] : []), ...sessions]
    const byChannel = new Map(clients.map((client) => [client.channel, client]))
    for (const client of byChannel.values()) bindClientAgain(net, player, client)
  }
}

function bindClientAgain(net: Net, player: number, client: Client): void {
  const { channel, framing } = client
  const params = { player, channel, ...nodeParam(net), again: true }
  net.link.submit({ player, command: 'internal:bind', params, framing }, ({ stage, outcome }) => {
    const socket = net.bindings.players.get(player)?.socket
    // The player has meanwhile logged in on another node.
    if (!outcome.ok && outcome.code === 'session_invalid' && socket === client)
      endSocket(net, socket)
    // Their login here has ended meanwhile.
    if (outcome.ok && !isBoundOn(net.bindings, player, channel)) notifyUnbound(net, client, player)
    return stage === 'final'
  })
}
