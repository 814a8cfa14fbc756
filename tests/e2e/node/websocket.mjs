// A whole conversation by the WebSocket that Node.js brings itself: greeted, asked, left, and said goodbye to.
//
//   node --experimental-websocket websocket.mjs ws://127.0.0.1:PORT TOKEN
//
// Prints what it hears, one line each.

const [url, token] = process.argv.slice(2);
const socket = new WebSocket(url);
const say = (message) => socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));

socket.onopen = () =>
  say({
    id: 1,
    method: "initialize",
    params: { processId: process.pid, capabilities: {}, initializationOptions: { certo: { token } } },
  });
socket.onmessage = (event) => {
  const { id, result, error } = JSON.parse(event.data);
  console.log(id, error ? error.data.name : (result?.serverInfo?.name ?? result));
  if (id === 1 && !error) say({ id: 2, method: "shutdown" });
  if (id === 2) say({ method: "exit" });
};
socket.onclose = (event) => console.log("closed", event.code, event.wasClean);
