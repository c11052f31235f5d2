/**
 * The clients of the socket benchmark, in a process of their own: many connections that send
 * queries one at a time, or that only count frames. Reports to its parent by lines on stdout.
 */
import WebSocket from 'ws'

const [url, mode, countText, msText, frame] = process.argv.slice(2)
const count = Number(countText)

async function connect(): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (let i = 0; i < count; i++) {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    await new Promise((done, failed) => {
      socket.once('open', done)
      socket.once('error', failed)
    })
    sockets.push(socket)
  }
  return sockets
}

/** Sends the next frame on each connection when the last one is answered; counts answers. */
async function ask(sockets: readonly WebSocket[]): Promise<void> {
  let answers = 0
  for (const socket of sockets) {
    socket.on('message', () => {
      answers++
      socket.send(frame)
    })
  }
  console.log('ready')
  for (const socket of sockets) socket.send(frame)
  await new Promise((done) => setTimeout(done, Number(msText)))
  console.log(`answers ${answers}`)
  process.exit(0)
}

/** Prints a line whenever all connections have received one more frame. */
function listenToAll(sockets: readonly WebSocket[]): void {
  let frames = 0
  for (const socket of sockets) {
    socket.on('message', () => {
      frames++
      if (frames % count === 0) console.log(`all ${frames / count}`)
    })
  }
  console.log('ready')
}

const sockets = await connect()
if (mode === 'ask') await ask(sockets)
else listenToAll(sockets)
