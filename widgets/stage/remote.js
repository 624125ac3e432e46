// What Python says to a stage that is already there: a jump, the switch "guess first".
// It is left on the window too, for a stage that is mounted after this.
export default function ({ data }) {
  const said = (window.espalierSaid ??= new Map());
  said.set(data.stage, data);
  window.dispatchEvent(new CustomEvent("espalier-said", { detail: data }));
}
