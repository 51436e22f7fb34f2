// Above each mistake is the first line of its message, which names the field and the type that was expected.
import { ECS, defineComponent, nativeComponent } from "crateful";
import { Quaternion } from "three";

class Place extends defineComponent("Place", { at: "f32x3", all: "f32x16" }) {}
const ecs = new ECS();

// Type '[number, number]' is not assignable to type 'VectorInput<3, "at: f32x3"> | undefined'.
new Place({ at: [1, 2] });
// Type 'Quaternion' is not assignable to type 'VectorInput<3, "at: f32x3"> | undefined'.
new Place({ at: new Quaternion() });
// Type '{ x: number; y: number; }' is not assignable to type 'VectorInput<3, "at: f32x3"> | undefined'.
ecs.addComponent(1, Place, { at: { x: 1, y: 2 } });
// Type '[number, number]' is not assignable to type 'VectorInput<16, "all: f32x16"> | undefined'.
ecs.prefab({ place: [Place, { all: [1, 2] }] });
// Type 'number' is not assignable to type 'FieldSpec<"a: f32, bool, string, ...">'.
defineComponent("A", { a: 0 });
// Type '"float32"' is not assignable to type 'FieldSpec<"a: f32, bool, string, ...">'.
nativeComponent("A", { a: "float32" });
